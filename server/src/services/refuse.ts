// How a request is refused: a strict one for what could not be honoured, any for what the provider answered.
import type { ProviderId, Warning } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import type { Refusal } from '../domain/refusal.ts';

/** Under `strict`, every warning known before the provider is called is a reason to refuse. */
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

export function providerError(provider: ProviderId, refusal: Refusal): GatewayError {
  return new GatewayError('provider_error', `${provider}: ${refusal.message}`, {
    provider,
    status: refusal.status ?? null,
    body: refusal.body ?? null,
  });
}
