// A real OpenID Connect provider on this machine, where a person is always signed in.
import Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

export interface IdentityProvider {
  /** The person that the next browser signs in as. */
  become: (email: string) => void;
  stop: () => void;
}

export const client = { id: 'trivium', secret: 'the secret of a client under test' };
const scopes = 'openid profile email';
const lifeS = 600;
const enter = '/enter/';

export function startIdentityProvider(issuer: string, gatewayUrl: string): IdentityProvider {
  let present = '';
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${gatewayUrl}/auth/callback/oidc`],
      },
    ],
    // The gateway reads the id token alone.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: { Interaction: lifeS, Session: lifeS, Grant: lifeS, AccessToken: lifeS, IdToken: lifeS },
    cookies: { keys: ['cookies of a provider under test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => enter + uid },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true, name: `${id} of the provider` }),
    }),
    loadExistingGrant: (context) => agreed(provider, context),
  });
  provider.use(async (context, next) => {
    if (!context.path.startsWith(enter)) return next();
    const result = { login: { accountId: present, remember: false } };
    return provider.interactionFinished(context.req, context.res, result);
  });
  const server = provider.listen(Number(new URL(issuer).port), '127.0.0.1');
  return { become: (email) => (present = email), stop: () => server.close() };
}

/** Grants consent without asking the person. */
async function agreed(provider: Provider, { oidc }: KoaContextWithOIDC) {
  const { client, session } = oidc;
  if (!client || !session?.accountId) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(scopes);
  await grant.save();
  return grant;
}
