// The headers of the drop-in addresses: whose bodies are another API's, so that what the gateway
// has to say beside the answer stands here.
import { GatewayError } from '@trivium/contract';
import type { Usage, Warning } from '@trivium/contract';

/** What a caller may ask for besides the other API's parameters. */
export function readWishes(headers: Headers): { provider: string | undefined; strict: boolean } {
  const strict = headers.get('x-trivium-strict') ?? 'false';
  if (strict !== 'true' && strict !== 'false') {
    throw new GatewayError('invalid_request', 'The header x-trivium-strict is true or false.');
  }
  return {
    provider: headers.get('x-trivium-provider') ?? undefined,
    strict: strict === 'true',
  };
}

export function answerHeaders(
  { provider, usage }: { provider: string; usage: Usage },
  warnings: readonly Warning[],
): Record<string, string> {
  return {
    'x-trivium-provider': provider,
    'x-trivium-cost-usd': String(usage.cost_usd),
    'x-trivium-warnings': headerText(warnings),
  };
}

/** With `strict` nothing is left out or only nearly honoured: the caller hears of it instead. */
export function refuseAdjustments(warnings: readonly Warning[]): void {
  if (warnings.length === 0) return;
  const told = kept(warnings).map(({ param = '', message }) => `${param}: ${message}`);
  throw new GatewayError('invalid_request', `x-trivium-strict is true. ${told.join(' ')}`);
}

/** The names of parameters come from the caller, so their number and length are bounded. */
const max_warnings = 20;
const max_param_chars = 60;
/** Proxies and clients refuse long headers, some beyond 8 kB in all. */
const max_header_chars = 4000;

/** JSON in ASCII; the messages are left out where they would make it too long. */
function headerText(warnings: readonly Warning[]): string {
  const some = kept(warnings);
  const whole = ascii(JSON.stringify(some));
  if (whole.length <= max_header_chars) return whole;
  return ascii(JSON.stringify(some.map(({ code, param }) => ({ code, param }))));
}

function kept(warnings: readonly Warning[]): Warning[] {
  const some = warnings.slice(0, max_warnings).map((warning) => ({
    ...warning,
    ...(warning.param === undefined ? {} : { param: warning.param.slice(0, max_param_chars) }),
  }));
  const more = warnings.length - some.length;
  if (more === 0) return some;
  return [...some, { code: 'param_ignored', message: `${more} more were left out.` }];
}

function ascii(json: string): string {
  return json.replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
