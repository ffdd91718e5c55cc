// A request that rides on a cookie must come from our own pages, or another site could send it.
import { GatewayError } from '@trivium/contract';

const safe_methods = ['GET', 'HEAD'];

export function checkSameOrigin(request: Request): void {
  if (safe_methods.includes(request.method)) return;
  const origin = request.headers.get('origin');
  const host = request.headers.get('host') ?? new URL(request.url).host;
  const site = request.headers.get('sec-fetch-site');
  const ours = origin !== null && URL.canParse(origin) && new URL(origin).host === host;
  if (ours && (site === null || site === 'same-origin')) return;
  throw new GatewayError(
    'unauthorized',
    'A signed-in session may be used from the dashboard only. Programs send an API key.',
    undefined,
    { status: 403 },
  );
}
