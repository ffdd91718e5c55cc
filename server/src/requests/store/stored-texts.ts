// Stored texts: the long parts that the answers of an account share, the answers beside the request
// log, and how much an account stores.
import { dayMs, hourMs } from '@trivium/contract/durations';
import {
  type RowOf,
  type Runner,
  expiring,
  flag,
  mapOfIds,
  query,
  reader,
  table,
  text,
  whole,
} from '../../store/index.ts';

const sums = { uploads: whole, answers: whole, transcripts: whole, tags: whole };
const readStored = reader(sums);

export type StoredSums = RowOf<typeof sums>;

/**
 * What other modules store for an account: columns for a statement whose first parameter is its id.
 */
export type StoredColumns = Readonly<Record<'uploads' | 'transcripts' | 'tags', string>>;

/** Each sum is read from an index only. */
export async function sumStored(
  on: Runner,
  accountId: string,
  { uploads, transcripts, tags }: StoredColumns,
): Promise<StoredSums> {
  const [row = {}] = await on.run(
    `select ${uploads} as uploads, ${transcripts} as transcripts, ${tags} as tags,
       (select coalesce(sum(answer_bytes), 0) from idempotency
        where account_id = $1 and answer_bytes is not null)
       + (select coalesce(sum(bytes), 0) from kept_texts where account_id = $1) as answers`,
    [accountId],
  );
  return readStored(row);
}

const texts = table('kept_texts', {
  account_id: text,
  hash: text,
  content: text,
  bytes: whole,
  expires_at: whole,
});
export const insertTexts = texts.insert({
  end: 'on conflict (account_id, hash) do update set expires_at = excluded.expires_at',
});

/** Extends the expiry of an account's existing texts, by their hashes. */
export const extendTexts = mapOfIds(
  {},
  (places) => `update kept_texts set expires_at = case when expires_at > $2 then expires_at
       else $2 end
     where account_id = $1 and hash in (${places}) returning hash as id`,
);

export async function findText(
  on: Runner,
  accountId: string,
  hash: string,
): Promise<string | undefined> {
  const select = 'select content from kept_texts where account_id = $1 and hash = $2';
  return (await query.texts(on, select, [accountId, hash]))[0];
}

export const expiredTexts = expiring({
  keptMs: dayMs,
  table: 'kept_texts',
  key: 'account_id, hash',
  expires: 'expires_at',
  // Long texts.
  rows: 20,
});

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

export const expiredAnswers = expiring({
  // An account may have its answers kept for an hour.
  keptMs: hourMs,
  table: 'logged_answers',
  key: 'request_id',
  expires: 'expires_at',
});
