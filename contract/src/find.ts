// What a person looks for by its name or id, wherever it is.
import { z } from 'zod';
import { AccountId } from './admin.ts';
import { storable } from './common.ts';

const foundKinds = ['request', 'job', 'key', 'account', 'person'] as const;

const Found = z
  .object({
    kind: z.enum(foundKinds).describe('What it is.'),
    id: z.string().describe('Its id.'),
    account_id: z.string().nullable().describe('Its account; null for an operator.'),
    name: z.string().nullable().describe('Its name, or what was asked; null if it has none.'),
  })
  .describe('Something with a name or an id.');
export type Found = z.infer<typeof Found>;

export const FoundList = z
  .object({ found: z.array(Found).describe('At most 10 of each kind, newest first.') })
  .describe('What was found.');
export type FoundList = z.infer<typeof FoundList>;

export const FindQuery = z.strictObject({
  text: storable(z.string().trim().min(1).max(200)).describe(
    'A part of the name of a key, an account or a person, or a whole id; a request is also found ' +
      'by the id of its answer or of its job.',
  ),
  account_id: AccountId.optional(),
});
export type FindQuery = z.infer<typeof FindQuery>;
