// The three outcomes of a request, by the same rule in logs, reports, charts, metrics and exports.

export const outcomes = ['served', 'refused', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** Errors of a provider or of the gateway itself. */
const failures: readonly string[] = ['provider_error', 'internal_error'];
/** The caller had left; without an error it is paid as others are. */
const callerLeft = 499;
/** A provider that the operator switched off; with another status there was no room or no store. */
const switchedOff = 501;

/** Refused is what the gateway did not accept: what was asked, who asked, or what it could cost. */
export function outcomeOf(status: number, errorType: string | null): Outcome {
  if (status < 400) return 'served';
  if (errorType === null)
    return status === callerLeft ? 'served' : status < 500 ? 'refused' : 'failed';
  if (failures.includes(errorType)) return 'failed';
  return errorType === 'provider_not_available' && status !== switchedOff ? 'failed' : 'refused';
}
