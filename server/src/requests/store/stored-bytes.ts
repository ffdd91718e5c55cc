// How much an account stores, and the long texts that its stored answers share.
import { deleteSteps, inParts, type Runner, text, whole } from '../../store/index.ts';

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

const extendRows = inParts(
  { account_id: text, hash: text, expires_at: whole },
  `update kept_texts set expires_at = case when kept_texts.expires_at > v.expires_at
     then kept_texts.expires_at else v.expires_at end
   from v where kept_texts.account_id = v.account_id and kept_texts.hash = v.hash
   returning kept_texts.hash`,
);

/** Extends the expiry of existing texts, and returns their hashes. */
export async function extendTexts(
  on: Runner,
  accountId: string,
  hashes: readonly string[],
  expiresAt: number,
): Promise<Set<string>> {
  const rows = await extendRows(
    on,
    hashes.map((hash) => ({ account_id: accountId, hash, expires_at: expiresAt })),
  );
  return new Set(rows.map((row) => String(row['hash'])));
}

export async function insertText(on: Runner, kept: KeptText): Promise<void> {
  await on.run(
    `insert into kept_texts (account_id, hash, content, bytes, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (account_id, hash) do update set expires_at = excluded.expires_at`,
    [kept.account_id, kept.hash, kept.content, kept.bytes, kept.expires_at],
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
