// Protection against cross-site request forgery: a request with a session cookie must come from the
// dashboard itself, whatever the type of its body.
import { GatewayError } from '@trivium/contract';

const safeMethods = ['GET', 'HEAD'];

export type SameOriginCheck = (request: Request) => void;

/**
 * Allows the origin of the public URL if one is set, otherwise plain http at the requested host.
 */
export function makeSameOriginCheck(publicUrl: string | undefined): SameOriginCheck {
  const configured = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return ({ method, headers }) => {
    if (safeMethods.includes(method)) return;
    const expected = configured ?? `http://${headers.get('host') ?? ''}`.toLowerCase();
    const site = headers.get('sec-fetch-site');
    const isSameOrigin = headers.get('origin') === expected;
    if (isSameOrigin && (site === null || site === 'same-origin')) return;
    throw new GatewayError(
      'unauthorized',
      `A signed-in session can be used only from the dashboard at ${expected} (behind TLS, ` +
        'set TRIVIUM_PUBLIC_URL to its address). Programs should send an API key.',
      undefined,
      { status: 403 },
    );
  };
}
