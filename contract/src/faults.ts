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

export type FaultSink = Pick<z.core.$RefinementCtx, 'addIssue'>;

/** Rules across fields run even beside a faulty field, so that all is told at once. */
export const even_when_faulty = { when: () => true };
