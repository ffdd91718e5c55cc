// Tells what the gateway refused from what a provider or the gateway could not do.

/** Errors that a provider or the gateway caused; all other types are refusals by the gateway. */
const failures: readonly unknown[] = ['provider_error', 'provider_not_available', 'internal_error'];

/** True when the gateway refused a request without a call to a provider. */
export function isRefusal(errorType: unknown): boolean {
  return typeof errorType === 'string' && !failures.includes(errorType);
}
