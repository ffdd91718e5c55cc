// A real OpenID Connect provider on this machine, where somebody is always signed in already.
import Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

export interface IdentityProvider {
  /** Whoever the next browser to come is. */
  become: (email: string) => void;
  stop: () => void;
}

export const CLIENT = { id: 'trivium', secret: 'the secret of a client under test' };
const SCOPES = 'openid profile email';
const LIFE_S = 600;
const ENTER = '/enter/';

export function startIdentityProvider(issuer: string, gateway_url: string): IdentityProvider {
  let present = '';
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${gateway_url}/auth/callback/oidc`],
      },
    ],
    // The gateway reads the id token alone.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: {
      Interaction: LIFE_S,
      Session: LIFE_S,
      Grant: LIFE_S,
      AccessToken: LIFE_S,
      IdToken: LIFE_S,
    },
    cookies: { keys: ['cookies of a provider under test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => ENTER + uid },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true, name: `${id} of the provider` }),
    }),
    loadExistingGrant: (context) => agreed(provider, context),
  });
  provider.use(async (context, next) => {
    if (!context.path.startsWith(ENTER)) return next();
    const result = { login: { accountId: present, remember: false } };
    return provider.interactionFinished(context.req, context.res, result);
  });
  const server = provider.listen(Number(new URL(issuer).port), '127.0.0.1');
  return { become: (email) => (present = email), stop: () => server.close() };
}

/** Nobody is asked whether they agree that the gateway learns their name. */
async function agreed(provider: Provider, { oidc }: KoaContextWithOIDC) {
  const { client, session } = oidc;
  if (!client || !session?.accountId) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(SCOPES);
  await grant.save();
  return grant;
}
