// Counts requests per minute, for keys and whole accounts that have a limit.
import { type KeyMinute, type KeyOfAccount, minuteOf, rateLimitKey } from '../core/rate-limit.ts';
import { hourMs } from '@trivium/contract/durations';
import { expiring, inParts, type Runner, sumsTable, text, whole } from '../../store/index.ts';

const key = { account_id: text, key_id: text, minute: whole };
const minutes = sumsTable('key_minutes', key, { requests: whole });
const count = minutes.omit('minute');

const findMinuteRows = inParts(
  key,
  `select ${count.columns} from key_minutes join v
     on key_minutes.minute = v.minute and key_minutes.account_id = v.account_id
       and key_minutes.key_id = v.key_id`,
);

export async function findKeyMinutes(
  on: Runner,
  keys: readonly KeyOfAccount[],
  minute: number,
): Promise<KeyMinute[]> {
  const distinct = new Map(keys.map((key) => [rateLimitKey(key), key]));
  const rows = [...distinct.values()].map((key) => ({ ...key, minute }));
  return (await findMinuteRows(on, rows)).map(count.read);
}

export async function addToKeyMinutes(
  on: Runner,
  changes: readonly KeyMinute[],
  minute: number,
): Promise<void> {
  await minutes.add(
    on,
    changes.map((change) => ({ ...change, minute })),
  );
}

/** Tolerates gateways whose clocks run behind. */
const minutesKept = 10;

export const expiredMinutes = expiring({
  kind: 'minutes',
  keptMs: hourMs,
  table: 'key_minutes',
  key: 'minute, account_id, key_id',
  since: 'minute',
  at: (now) => minuteOf(now) - minutesKept,
});
