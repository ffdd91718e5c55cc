// Long texts in parts: transcripts ready to be served, and callbacks as received. Each statement
// reads or writes one part.
import { rowStatement, type Runner } from '../../store/index.ts';

interface TextPart {
  id: string;
  part: number;
  job_id: string | null;
  made_at: number;
  content: string;
}

const insertPartsStatement = rowStatement(
  ['text', 'bigint', 'text', 'bigint', 'text'],
  (table) => `insert into texts (id, part, job_id, made_at, content)
     select column1, column2, column3, column4, column5 from ${table} where column1 is not null`,
);

export async function insertParts(on: Runner, parts: readonly TextPart[]): Promise<void> {
  const rows = parts.map(({ id, part, job_id, made_at, content }) => [
    id,
    part,
    job_id,
    made_at,
    content,
  ]);
  await on.run(...insertPartsStatement(rows));
}

export function insertPart(on: Runner, part: TextPart): Promise<void> {
  return insertParts(on, [part]);
}

/** Undefined after the last part. */
export async function findPart(on: Runner, id: string, part: number): Promise<string | undefined> {
  const [row] = await on.run<{ content: string }>(
    'select content from texts where id = $1 and part = $2',
    [id, part],
  );
  return row?.content;
}

export async function deleteText(on: Runner, id: string): Promise<void> {
  await on.run('delete from texts where id = $1', [id]);
}

/** Deletes callback bodies that belong to no job. */
export async function deleteUnownedTexts(on: Runner, madeBefore: number): Promise<void> {
  await on.run('delete from texts where job_id is null and made_at < $1', [madeBefore]);
}
