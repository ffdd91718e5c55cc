// How much an account stores, and the long texts that its stored answers share.
import { deleteSteps, rowStatement, type Runner } from '../../store/index.ts';

export interface StoredSums {
  uploads: number;
  answers: number;
  transcripts: number;
  tags: number;
}

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
  const [row] = await on.run(
    `select ${uploads} as uploads, ${transcripts} as transcripts, ${tags} as tags,
       (select coalesce(sum(answer_bytes), 0) from idempotency
        where account_id = $1 and answer_bytes is not null) as answers,
       (select coalesce(sum(bytes), 0) from kept_texts where account_id = $1) as texts`,
    [accountId],
  );
  const sum = (name: string) => Number(row?.[name] ?? 0);
  return {
    uploads: sum('uploads'),
    answers: sum('answers') + sum('texts'),
    transcripts: sum('transcripts'),
    tags: sum('tags'),
  };
}

interface KeptText {
  account_id: string;
  hash: string;
  content: string;
  bytes: number;
  expires_at: number;
}

const extendStatement = rowStatement(
  ['text', 'text', 'bigint'],
  (table) => `update kept_texts set
       expires_at = case when expires_at > v.column3 then expires_at else v.column3 end
     from ${table} where account_id = v.column1 and hash = v.column2
     returning hash`,
);

/** Extends the expiry of existing texts, and returns their hashes. */
export async function extendTexts(
  on: Runner,
  accountId: string,
  hashes: readonly string[],
  expiresAt: number,
): Promise<Set<string>> {
  const rows = await on.run(...extendStatement(hashes.map((hash) => [accountId, hash, expiresAt])));
  return new Set(rows.map((row) => String(row['hash'])));
}

export async function insertText(on: Runner, text: KeptText): Promise<void> {
  await on.run(
    `insert into kept_texts (account_id, hash, content, bytes, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (account_id, hash) do update set expires_at = excluded.expires_at`,
    [text.account_id, text.hash, text.content, text.bytes, text.expires_at],
  );
}

export async function findText(
  on: Runner,
  accountId: string,
  hash: string,
): Promise<string | undefined> {
  const [row] = await on.run<{ content: string }>(
    'select content from kept_texts where account_id = $1 and hash = $2',
    [accountId, hash],
  );
  return row?.content;
}

export const deleteExpiredTexts = deleteSteps({
  table: 'kept_texts',
  key: 'account_id, hash',
  due: 'expires_at <= $1',
  order: 'expires_at',
});
