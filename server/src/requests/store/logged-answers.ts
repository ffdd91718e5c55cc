// The answers that are kept beside the request log, each until its own expiry.
import { deleteSteps, rowStatement, type Runner, type TableSize } from '../../store/index.ts';

export interface LoggedAnswer {
  request_id: string;
  account_id: string;
  bytes: number;
  /** True if only the beginning is kept. */
  truncated: boolean;
  expires_at: number;
  body: string;
}

const [text, whole] = ['text', 'bigint'] as const;

const insertStatement = rowStatement(
  [text, text, whole, whole, whole, text],
  (table) => `insert into logged_answers
       (request_id, account_id, bytes, truncated, expires_at, body)
     select column1, column2, column3, column4, column5, column6
     from ${table} where column1 is not null
     on conflict (request_id) do nothing`,
);

export async function insertAnswers(on: Runner, answers: readonly LoggedAnswer[]): Promise<void> {
  const values = answers.map((one) => [
    one.request_id,
    one.account_id,
    one.bytes,
    one.truncated ? 1 : 0,
    one.expires_at,
    one.body,
  ]);
  await on.run(...insertStatement(values));
}

type FoundAnswer = Pick<LoggedAnswer, 'body' | 'truncated' | 'expires_at'>;

/** Also undefined if the answer has expired and is not deleted yet. */
export async function findLoggedAnswer(
  on: Runner,
  { request_id, account_id }: Pick<LoggedAnswer, 'request_id' | 'account_id'>,
  now: number,
): Promise<FoundAnswer | undefined> {
  const [row] = await on.run(
    `select body, truncated, expires_at from logged_answers
     where request_id = $1 and account_id = $2 and expires_at > $3`,
    [request_id, account_id, now],
  );
  return (
    row && {
      body: String(row['body']),
      truncated: Number(row['truncated']) === 1,
      expires_at: Number(row['expires_at']),
    }
  );
}

/** Reads only an index. */
export async function measureAnswers(
  on: Runner,
): Promise<(TableSize & Pick<LoggedAnswer, 'account_id'>)[]> {
  const rows = await on.run(
    `select account_id, count(*) as entries, sum(bytes) as bytes from logged_answers
     group by account_id`,
  );
  return rows.map((row) => ({
    account_id: String(row['account_id']),
    entries: Number(row['entries']),
    bytes: Number(row['bytes']),
  }));
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

export const deleteEndedAnswers = deleteSteps({
  table: 'logged_answers',
  key: 'request_id',
  due: 'expires_at <= $1',
  order: 'expires_at',
});
