// Long texts in parts: transcripts ready to be served, and callbacks as received. Each statement
// reads or writes one part.
import { orNull, query, type Runner, table, text, whole } from '../../store/index.ts';

const parts = table('texts', {
  id: text,
  part: whole,
  job_id: orNull(text),
  made_at: whole,
  content: text,
});

type TextPart = ReturnType<typeof parts.read>;

export const insertParts = parts.insert();

export async function insertPart(on: Runner, part: TextPart): Promise<void> {
  await insertParts(on, [part]);
}

/** Undefined after the last part. */
export async function findPart(on: Runner, id: string, part: number): Promise<string | undefined> {
  const select = 'select content from texts where id = $1 and part = $2';
  return (await query.texts(on, select, [id, part]))[0];
}

export async function deleteText(on: Runner, id: string): Promise<void> {
  await on.run('delete from texts where id = $1', [id]);
}

/** Deletes callback bodies that belong to no job. */
export async function deleteUnownedTexts(on: Runner, madeBefore: number): Promise<void> {
  await on.run('delete from texts where job_id is null and made_at < $1', [madeBefore]);
}
