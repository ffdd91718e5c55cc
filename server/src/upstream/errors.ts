// Errors for callers: a strict request that cannot be honoured, options that are not allowed, and
// refusals by a provider.
import type { ProviderId, Warning } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import type { Refusal } from './core/refusal.ts';

/** With `strict`, every warning known before the provider is called is a reason to refuse. */
export function strictRefusal(provider: ProviderId, warnings: readonly Warning[]): void {
  if (warnings.length === 0) return;
  const issues = warnings.map(({ code, param, message }) => ({ path: param ?? '', code, message }));
  throw new GatewayError(
    'invalid_request',
    `${provider} cannot honour this request exactly, and strict is set. ` +
      'Drop the listed parameters, choose another provider, or leave out strict.',
    { issues },
  );
}

/** Refuses native options that callers may not set, all of them in one error. */
export function refuseOptions(
  provider: ProviderId,
  refused: Readonly<Record<string, string>>,
  given: Readonly<Record<string, unknown>>,
): void {
  const issues = Object.keys(given).flatMap((key) => {
    const name = key.toLowerCase();
    if (!Object.hasOwn(refused, name)) return [];
    const message = `The option ${key} cannot be set here: ${refused[name]}.`;
    return [{ path: `provider_options.${provider}.${key}`, code: 'forbidden_key', message }];
  });
  if (issues.length > 0) throw badOptions(issues);
}

export function badOptions(
  issues: readonly { path: string; code: string; message: string }[],
): GatewayError {
  const sentences = issues.map(({ path, message }) => `${path}: ${message}`).join(' ');
  return new GatewayError('invalid_request', `The request is not valid. ${sentences}`, { issues });
}

export function providerError(provider: ProviderId, refusal: Refusal): GatewayError {
  const { kind, message, status, body, retry_after_ms } = refusal;
  const detail = { provider, status: status ?? null, body: body ?? null, ...fieldsOf(body) };
  const headers =
    retry_after_ms === undefined ? {} : { 'retry-after': String(Math.ceil(retry_after_ms / 1000)) };
  const words = `${provider} ${outcomes[kind]}: ${message.replace(/\.$/, '')}.`;
  return kind === 'overloaded'
    ? new GatewayError('provider_not_available', words, detail, {
        status: 503,
        headers,
        cause: refusal,
      })
    : new GatewayError('provider_error', words, detail, { headers, cause: refusal });
}

/** The fields of the vendor's own body, which take precedence over ours with the same name. */
function fieldsOf(body: unknown): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  return JSON.stringify(body).length > maxRepeatedChars ? {} : body;
}

/** A longer body is returned only in `body`. */
const maxRepeatedChars = 64 * 1024;

/** A vendor's message is often one word. These texts say who has to act. */
const outcomes: Readonly<Record<Refusal['kind'], string>> = {
  rate_limited: 'asks for fewer requests',
  rejected: 'refused the request',
  unauthorized: "refused this deployment's credential",
  out_of_credit: "says that this deployment's account with it is used up",
  unavailable: 'is unavailable',
  unreachable: 'was not reached',
  overloaded: 'was not called',
  uncertain: 'gave no usable answer',
  abandoned: 'was given up',
};
