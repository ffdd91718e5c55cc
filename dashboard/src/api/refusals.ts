// Tells what the gateway refused from what a provider or the gateway could not do.
import type { ValidationIssue } from '@trivium/sdk';

/** Errors that a provider or the gateway caused; all other types are refusals by the gateway. */
const failures: readonly unknown[] = ['provider_error', 'provider_not_available', 'internal_error'];

/** True when the gateway refused a request without a call to a provider. */
export function isRefusal(errorType: unknown): boolean {
  return typeof errorType === 'string' && !failures.includes(errorType);
}

/** The faults that the error lists and its message does not say. */
export function unsaidIssues(error: Error): ValidationIssue[] {
  return issuesOf(error).filter(({ message }) => !error.message.includes(message));
}

/** The faults of a refused request, from the SDK or from the dashboard's own calls. */
export function issuesOf(error: Error | undefined): readonly ValidationIssue[] {
  const { issues } = (error ?? {}) as { issues?: unknown };
  return Array.isArray(issues) ? (issues as ValidationIssue[]) : [];
}
