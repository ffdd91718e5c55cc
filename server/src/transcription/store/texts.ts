// Long texts in parts: transcripts ready to be served, and callbacks as received. Each statement
// moves one part.
import type { Runner } from '../../store/database.ts';

interface TextPart {
  id: string;
  part: number;
  job_id: string | null;
  made_at: number;
  content: string;
}

export async function insertPart(on: Runner, text: TextPart): Promise<void> {
  await on.run(
    'insert into texts (id, part, job_id, made_at, content) values ($1, $2, $3, $4, $5)',
    [text.id, text.part, text.job_id, text.made_at, text.content],
  );
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

/** Callback bodies that belong to no job. */
export async function deleteUnownedTexts(on: Runner, madeBefore: number): Promise<void> {
  await on.run('delete from texts where job_id is null and made_at < $1', [madeBefore]);
}
