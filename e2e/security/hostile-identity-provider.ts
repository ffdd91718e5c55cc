// An identity provider that says whatever a test wants: its tokens are signed as they should be,
// and only what stands in them, or that there is none, is up to the test.
import { generateKeyPairSync, sign } from 'node:crypto';

export interface HostileProvider extends Disposable {
  issuer: string;
  /** What the next answer holds; without `claims` there is no id token in it. */
  says: (answer: { claims?: object; userinfo?: object }) => void;
  /** How often it was asked for its userinfo. */
  userinfoAsked: () => number;
  /** Notes the nonce of a way to it, which every token must repeat. */
  visited: (url: URL) => void;
}

export function startHostileProvider(clientId: string): HostileProvider {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' };
  let answer: { claims?: object; userinfo?: object } = {};
  let nonce: string | null = null;
  let asked = 0;
  const idToken = (claims: object) => {
    const now = Math.floor(Date.now() / 1000);
    const whole = { iss: issuer, aud: clientId, iat: now, exp: now + lifeS, nonce, ...claims };
    const parts = [{ alg: 'ES256', kid: 'one', typ: 'JWT' }, whole].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const signed = sign('sha256', Buffer.from(parts.join('.')), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    return `${parts.join('.')}.${signed.toString('base64url')}`;
  };
  const routes: Readonly<Record<string, () => object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['ES256'],
    }),
    '/jwks': () => ({ keys: [jwk] }),
    '/token': () => ({
      access_token: 'an access token',
      token_type: 'Bearer',
      expires_in: lifeS,
      ...(answer.claims ? { id_token: idToken(answer.claims) } : {}),
    }),
    '/userinfo': () => {
      asked += 1;
      return answer.userinfo ?? {};
    },
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => Response.json(routes[new URL(request.url).pathname]?.() ?? {}),
  });
  const issuer = `http://127.0.0.1:${server.port}`;
  return {
    issuer,
    says: (said) => (answer = said),
    userinfoAsked: () => asked,
    visited: (url) => (nonce = url.searchParams.get('nonce')),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const lifeS = 600;
