// GET /admin/v1/activity: a short text that changes when an account's pages have something new.
import type { Activity, ActivityQuery } from '@trivium/contract';
import { findPosted } from '../billing/index.ts';
import { hourOf } from '../requests/core/index.ts';
import { sumSince } from '../requests/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { ReadableDatabase } from '../store/index.ts';
import { findLastChange } from '../transcription/index.ts';

const hoursRead = 1;

export async function readActivity(
  context: { database: ReadableDatabase; clock: Pick<Clock, 'now'> },
  { account_id }: ActivityQuery,
): Promise<Activity> {
  const hour = hourOf(context.clock.now().getTime());
  const { reader } = context.database;
  const [usage, posted, jobs] = await Promise.all([
    sumSince(reader, account_id, hour - hoursRead),
    findPosted(reader, account_id),
    findLastChange(reader, account_id),
  ]);
  const { requests, failures, cost } = usage;
  return { version: [hour, requests, failures, cost, posted ?? 0, jobs].join('-') };
}
