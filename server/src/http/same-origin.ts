// A request that acts by a cookie must come from our own pages, or another site could send it.
import { GatewayError } from '@trivium/contract';

const safe_methods = ['GET', 'HEAD'];

export type SameOriginCheck = (request: Request) => void;

/** With a public address that is the only origin; else plain http at the host that was asked. */
export function makeSameOriginCheck(public_url: string | undefined): SameOriginCheck {
  const only = public_url === undefined ? undefined : new URL(public_url).origin;
  return ({ method, headers }) => {
    if (safe_methods.includes(method)) return;
    const expected = only ?? `http://${headers.get('host') ?? ''}`.toLowerCase();
    const site = headers.get('sec-fetch-site');
    const ours = headers.get('origin') === expected;
    if (ours && (site === null || site === 'same-origin')) return;
    throw new GatewayError(
      'unauthorized',
      `A signed-in session may be used from the dashboard at ${expected} only (behind TLS, ` +
        'TRIVIUM_PUBLIC_URL names its address). Programs send an API key.',
      undefined,
      { status: 403 },
    );
  };
}
