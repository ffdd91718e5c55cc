// The one way in which our own rules report a fault to zod, so that issuesOf knows them.
import type { z } from 'zod';

/** Reports a fault of a rule that zod does not know, under a code of our own. */
export function addFault(
  context: FaultSink,
  path: readonly (string | number)[],
  code: string,
  message: string,
): void {
  context.addIssue({ code: 'custom', path: [...path], message, params: { code } });
}

/** At most so many faults are listed; the rest is counted. */
export const maxListedFaults = 50;

/** Stands for faults that were found and are not listed one by one. */
export function addUnlisted(context: FaultSink, count: number): void {
  const params = { unlisted: count };
  context.addIssue({ code: 'custom', path: [], message: 'Not listed.', params });
}

/** A caller's own words in a message, as far as they help to find the place. */
export function quoted(text: string): string {
  return text.length > maxQuotedChars ? `${text.slice(0, maxQuotedChars)}…` : text;
}

export const maxQuotedChars = 200;

/** Reports the faults of a value that another schema read, each at its place in the whole. */
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

/** Rules across fields run even beside a faulty field, so that all is told at once. */
export const even_when_faulty = { when: () => true };
