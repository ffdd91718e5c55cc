// An identity provider under the control of a test: tokens have valid signatures, and the test sets
// their claims or omits them.
import { generateKeyPairSync, sign } from 'node:crypto';

export interface HostileProvider extends Disposable {
  issuer: string;
  /** Sets the next answer; without `claims` it has no id token. */
  setAnswer: (answer: { claims?: object; userinfo?: object }) => void;
  /** The number of userinfo requests. */
  userinfoCalls: () => number;
  /** Records the nonce of the authorization URL, which every token must repeat. */
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
    setAnswer: (next) => (answer = next),
    userinfoCalls: () => asked,
    visited: (url) => (nonce = url.searchParams.get('nonce')),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const lifeS = 600;
