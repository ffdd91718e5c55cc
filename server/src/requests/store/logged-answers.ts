// The answers that are kept beside the request log, each until its own expiry.
import { hourMs } from '@trivium/contract/durations';
import {
  expiring,
  flag,
  query,
  reader,
  type Runner,
  table,
  type TableSize,
  text,
  whole,
} from '../../store/index.ts';

const answers = table('logged_answers', {
  request_id: text,
  account_id: text,
  bytes: whole,
  /** True if only the beginning is kept. */
  truncated: flag,
  expires_at: whole,
  body: text,
});
const content = answers.pick('body', 'truncated', 'expires_at');

export type LoggedAnswer = ReturnType<typeof answers.read>;

export const insertAnswers = answers.insert({ end: 'on conflict (request_id) do nothing' });

/** Also undefined if the answer has expired and is not deleted yet. */
export function findLoggedAnswer(
  on: Runner,
  { request_id, account_id }: Pick<LoggedAnswer, 'request_id' | 'account_id'>,
  now: number,
): Promise<ReturnType<typeof content.read> | undefined> {
  return content.find(on, 'where request_id = $1 and account_id = $2 and expires_at > $3', [
    request_id,
    account_id,
    now,
  ]);
}

const readSize = reader({ account_id: text, entries: whole, bytes: whole });

/** Reads only an index. */
export function measureAnswers(
  on: Runner,
): Promise<(TableSize & Pick<LoggedAnswer, 'account_id'>)[]> {
  return query.rows(
    on,
    readSize,
    `select account_id, count(*) as entries, sum(bytes) as bytes from logged_answers
     group by account_id`,
  );
}

export async function deleteFirstAnswers(
  on: Runner,
  accountId: string,
  limit: number,
): Promise<TableSize> {
  const rows = await on.run(
    `delete from logged_answers where request_id in
       (select request_id from logged_answers where account_id = $1 order by expires_at limit $2)
     returning bytes`,
    [accountId, limit],
  );
  const bytes = rows.reduce((sum, row) => sum + Number(row['bytes']), 0);
  return { entries: rows.length, bytes };
}

export const expiredAnswers = expiring({
  // An account may have its answers kept for an hour.
  keptMs: hourMs,
  table: 'logged_answers',
  key: 'request_id',
  expires: 'expires_at',
});
