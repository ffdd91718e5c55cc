// How custom validation rules report a fault to zod, in the form that `issuesOf` reads.
import type { z } from 'zod';

/** Reports a fault found by a custom rule, with its own code. */
export function addFault(
  context: FaultSink,
  path: readonly (string | number)[],
  code: string,
  message: string,
): void {
  context.addIssue({ code: 'custom', path: [...path], message, params: { code } });
}

/** The maximum number of faults that are listed; the rest are counted. */
export const maxListedFaults = 50;

/** Adds faults to the count without listing them. */
export function addUnlisted(context: FaultSink, count: number): void {
  const params = { unlisted: count };
  context.addIssue({ code: 'custom', path: [], message: 'Not listed.', params });
}

/** Cuts the caller's text in a message to a length that still helps to find the field. */
export function truncate(text: string): string {
  return text.length > maxQuotedChars ? `${text.slice(0, maxQuotedChars)}…` : text;
}

export const maxQuotedChars = 200;

/** Reports the faults of a value that another schema parsed, under its path in the request. */
export function passFaultsOn(
  context: FaultSink,
  path: readonly (string | number)[],
  { issues }: Pick<z.ZodError, 'issues'>,
): void {
  for (const issue of issues) {
    context.addIssue({ ...issue, path: [...path, ...issue.path] });
  }
}

export type FaultSink = Pick<z.core.$RefinementCtx, 'addIssue'>;

/**
 * Runs a rule across fields even if a field is invalid, so that all faults are reported at once.
 */
export const alwaysRun = { when: () => true };
