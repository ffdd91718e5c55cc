// The three outcomes of a request, by the same rule in logs, reports, charts, metrics and exports.

export const outcomes = ['served', 'refused', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** Errors of a provider or of the gateway itself. */
const failures: readonly string[] = ['provider_error', 'internal_error'];
/** The caller disconnected. Without an error, the request is charged like any other. */
const callerLeft = 499;
/** The operator disabled the provider. With another status, there was no capacity or no store. */
const switchedOff = 501;

/**
 * A request is refused if the gateway did not accept its content, its caller or its possible cost.
 */
export function outcomeOf(status: number, errorType: string | null): Outcome {
  if (status < 400) return 'served';
  if (errorType === null)
    return status === callerLeft ? 'served' : status < 500 ? 'refused' : 'failed';
  if (failures.includes(errorType)) return 'failed';
  return errorType === 'provider_not_available' && status !== switchedOff ? 'failed' : 'refused';
}
