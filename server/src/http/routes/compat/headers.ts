// The headers of the drop-in APIs. The bodies have another API's format, so the gateway's own
// options, warnings and costs are in headers.
import type { Warning } from '@trivium/contract';
import { badRequest } from '../../middleware/body.ts';

/** The gateway's own options, in addition to the other API's parameters. */
export function readOptions(headers: Headers): { provider: string | undefined; strict: boolean } {
  const strict = headers.get('x-trivium-strict') ?? 'false';
  if (strict !== 'true' && strict !== 'false') {
    throw badRequest('The header x-trivium-strict must be true or false.');
  }
  const provider = headers.get('x-trivium-provider') ?? undefined;
  return { provider, strict: strict === 'true' };
}

export function warningHeaders(warnings: readonly Warning[]): Record<string, string> {
  return { 'x-trivium-warnings': headerText(warnings) };
}

/** `strict` refuses a request with parameters that would be ignored or approximated. */
export function refuseAdjustments(warnings: readonly Warning[]): void {
  if (warnings.length === 0) return;
  const reasons = bounded(warnings).map(({ param = '', message }) => `${param}: ${message}`);
  throw badRequest(`x-trivium-strict is true. ${reasons.join(' ')}`);
}

/** Callers choose the names of parameters, so their number and length are limited. */
const maxWarnings = 20;
const maxParamChars = 60;
/** Proxies and clients refuse long headers, some above 8 kB in total. */
const maxHeaderChars = 4000;

/** JSON in ASCII, without the messages if they would make it too long. */
function headerText(warnings: readonly Warning[]): string {
  const some = bounded(warnings);
  const whole = ascii(JSON.stringify(some));
  if (whole.length <= maxHeaderChars) return whole;
  return ascii(JSON.stringify(some.map(({ code, param }) => ({ code, param }))));
}

function bounded(warnings: readonly Warning[]): Warning[] {
  const some = warnings.slice(0, maxWarnings).map((warning) => ({
    ...warning,
    ...(warning.param === undefined ? {} : { param: warning.param.slice(0, maxParamChars) }),
  }));
  const more = warnings.length - some.length;
  if (more === 0) return some;
  return [...some, { code: 'param_ignored', message: `${more} more warnings are not shown.` }];
}

function ascii(json: string): string {
  return json.replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
