// Uploaded recordings, one row each. A job names its upload, so that both end together.
import { orNull, type Runner, table, text, whole } from '../../store/index.ts';
import type { StoredUpload } from '../core/upload.ts';

const uploads = table('uploads', {
  id: text,
  account_id: text,
  type: text,
  bytes: whole,
  created_at: whole,
  expires_at: whole,
  seconds: orNull(whole),
});
const insertRows = uploads.insert();

export async function insertUpload(on: Runner, upload: StoredUpload): Promise<void> {
  await insertRows(on, [upload]);
}

export async function findUpload(on: Runner, id: string): Promise<StoredUpload | undefined> {
  const [row] = await on.run(`select ${uploads.columns} from uploads where id = $1`, [id]);
  return row && uploads.read(row);
}

export async function countUploads(on: Runner, accountId: string): Promise<number> {
  const [row] = await on.run('select count(*) as count from uploads where account_id = $1', [
    accountId,
  ]);
  return Number(row?.['count'] ?? 0);
}

/** A column for a statement whose first parameter is an account. */
export const uploadBytes = '(select coalesce(sum(bytes), 0) from uploads where account_id = $1)';

/** False if there is none on this account. */
export async function deleteUpload(on: Runner, id: string, accountId: string): Promise<boolean> {
  const rows = await on.run('delete from uploads where id = $1 and account_id = $2 returning id', [
    id,
    accountId,
  ]);
  return rows.length > 0;
}

const isInUse = 'exists (select 1 from jobs where upload_id = uploads.id and finished_at is null)';

/** Deletes the upload of a job that has ended, unless another job still needs it. */
export async function deleteUnused(on: Runner, id: string): Promise<boolean> {
  const rows = await on.run(`delete from uploads where id = $1 and not ${isInUse} returning id`, [
    id,
  ]);
  return rows.length > 0;
}

/** Deletes uploads that have expired or whose jobs have all ended, and returns their ids. */
export async function deleteDue(on: Runner, now: number, limit: number): Promise<string[]> {
  const rows = await on.run(
    `delete from uploads where id in (
       select id from uploads
       where not ${isInUse}
         and (expires_at <= $1 or exists (select 1 from jobs where upload_id = uploads.id))
       limit $2)
     returning id`,
    [now, limit],
  );
  return rows.map((row) => String(row['id']));
}

/** The given ids that have a row. */
export async function findKnown(on: Runner, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const places = ids.map((_, at) => `$${at + 1}`).join(', ');
  const rows = await on.run(`select id from uploads where id in (${places})`, ids);
  return new Set(rows.map((row) => String(row['id'])));
}

/** In the order of their ids, beginning after `after`. */
export async function listUploads(
  on: Runner,
  after: string,
  createdBefore: number,
  limit: number,
): Promise<string[]> {
  const rows = await on.run(
    'select id from uploads where id > $1 and created_at < $2 order by id limit $3',
    [after, createdBefore, limit],
  );
  return rows.map((row) => String(row['id']));
}

export async function forgetUpload(on: Runner, id: string): Promise<void> {
  await on.run('delete from uploads where id = $1', [id]);
}
