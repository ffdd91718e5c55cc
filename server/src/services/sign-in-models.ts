// How the sign-in library's names are spelled in our tables.

const made = { createdAt: 'created_at', updatedAt: 'updated_at' };
const given_by_us = { type: 'string', input: false, required: false } as const;

export const signInModels = {
  user: {
    modelName: 'people',
    fields: { emailVerified: 'email_verified', ...made },
    additionalFields: { role: given_by_us, account_id: given_by_us },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'person_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...made,
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
      ...made,
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', ...made },
  },
};
