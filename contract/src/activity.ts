// Whether something has happened on an account, for programs that wait for news.
import { z } from 'zod';
import { AccountId } from './admin.ts';

export const ActivityQuery = z.strictObject({ account_id: AccountId });
export type ActivityQuery = z.infer<typeof ActivityQuery>;

export const Activity = z
  .object({
    version: z
      .string()
      .describe('Another text after a request was logged, a job has moved or money was booked.'),
  })
  .describe('The state of an account, to compare with an earlier one.');
export type Activity = z.infer<typeof Activity>;
