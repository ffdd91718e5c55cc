// Maps the sign-in library's models and fields to our tables and columns.

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' };
const setByGateway = { type: 'string', input: false, required: false } as const;

export const signInModels = {
  user: {
    modelName: 'people',
    fields: { emailVerified: 'email_verified', ...timestamps },
    additionalFields: { role: setByGateway, account_id: setByGateway },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'person_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...timestamps,
    },
  },
  account: {
    modelName: 'credentials',
    fields: {
      userId: 'person_id',
      providerId: 'provider_id',
      accountId: 'provider_account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...timestamps,
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', ...timestamps },
  },
};
