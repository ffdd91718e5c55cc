// Whether something has happened on an account, for programs that wait for changes.
import { z } from 'zod';
import { AccountId } from './admin.ts';

export const ActivityQuery = z.strictObject({ account_id: AccountId });
export type ActivityQuery = z.infer<typeof ActivityQuery>;

export const Activity = z
  .object({
    version: z
      .string()
      .describe(
        'A value that changes when a request is logged, a job or an incident changes its state, ' +
          'or money is booked.',
      ),
  })
  .describe("A version of the account's state, to compare with an earlier one.");
export type Activity = z.infer<typeof Activity>;
