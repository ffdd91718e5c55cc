// GET /admin/v1/activity: a short text that changes when an account's pages have something new.
import type { Activity, ActivityQuery } from '@trivium/contract';
import { hourOf } from '../requests/core/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { ReadableDatabase } from '../store/index.ts';
import { readActivityFigures } from './store/activity.ts';

const hoursRead = 1;

export async function readActivity(
  context: { database: ReadableDatabase; clock: Pick<Clock, 'now'> },
  { account_id }: ActivityQuery,
): Promise<Activity> {
  const hour = hourOf(context.clock.now().getTime());
  const figures = await readActivityFigures(context.database.reader, account_id, hour - hoursRead);
  const { requests, failures, cost, posted, jobs } = figures ?? {};
  const parts = [hour, requests, failures, cost, posted, jobs];
  return { version: parts.map((part) => String(part ?? 0)).join('-') };
}
