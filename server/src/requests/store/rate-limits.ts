// Counts requests per minute, for keys and whole accounts that have a limit.
import { rateLimitKey } from '../core/rate-limit.ts';
import type { KeyMinute, KeyOfAccount } from '../core/rate-limit.ts';
import {
  adding,
  deleteSteps,
  inParts,
  reader,
  type Runner,
  table,
  text,
  whole,
} from '../../store/index.ts';

const minutes = table('key_minutes', {
  account_id: text,
  key_id: text,
  minute: whole,
  requests: whole,
});
const readCount = reader({ account_id: text, key_id: text, requests: whole });

const findMinuteRows = inParts(
  { account_id: text, key_id: text, minute: whole },
  `select key_minutes.account_id, key_minutes.key_id, requests from key_minutes join v
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
  return (await findMinuteRows(on, rows)).map(readCount);
}

const addRows = minutes.insert({
  end: adding('key_minutes', 'minute, account_id, key_id', ['requests']),
});

export async function addToKeyMinutes(
  on: Runner,
  changes: readonly KeyMinute[],
  minute: number,
): Promise<void> {
  await addRows(
    on,
    changes.map((change) => ({ ...change, minute })),
  );
}

export const deleteOldMinutes = deleteSteps({
  table: 'key_minutes',
  key: 'minute, account_id, key_id',
  due: 'minute < $1',
  order: 'minute',
});
