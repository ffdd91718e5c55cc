// Uploaded recordings, one row each. A job names its upload, so that both end together.
import {
  type RowOf,
  type Runner,
  mapOfIds,
  orNull,
  query,
  table,
  text,
  whole,
} from '../../store/index.ts';

const columns = {
  id: text,
  account_id: text,
  /** The media type that the gateway recognised. */
  type: text,
  bytes: whole,
  created_at: whole,
  expires_at: whole,
  /** The length, rounded up. Null if it could not be read from the file. */
  seconds: orNull(whole),
  /** As the caller's file is named, if it says so. */
  name: orNull(text),
};
const uploads = table('uploads', columns);
export const insertUploads = uploads.insert();

/** An upload that was received in full. */
export type StoredUpload = RowOf<typeof columns>;

export const findUpload = uploads.by('id');

export function countUploads(on: Runner, accountId: string): Promise<number> {
  return query.number(on, 'select count(*) from uploads where account_id = $1', [accountId]);
}

/** A column for a statement whose first parameter is an account. */
export const uploadBytes = '(select coalesce(sum(bytes), 0) from uploads where account_id = $1)';

/** False if there is none on this account. */
export function deleteUpload(on: Runner, id: string, accountId: string): Promise<boolean> {
  const deleting = 'delete from uploads where id = $1 and account_id = $2 returning id';
  return query.exists(on, deleting, [id, accountId]);
}

const isInUse = 'exists (select 1 from jobs where upload_id = uploads.id and finished_at is null)';

/** Deletes the upload of a job that has ended, unless another job still needs it. */
export function deleteUnused(on: Runner, id: string): Promise<boolean> {
  return query.exists(on, `delete from uploads where id = $1 and not ${isInUse} returning id`, [
    id,
  ]);
}

export async function keepUntil(on: Runner, id: string, until: number): Promise<void> {
  await on.run('update uploads set expires_at = $2 where id = $1', [id, until]);
}

/** Deletes uploads that have expired or whose jobs have all ended, and returns their ids. */
export function deleteDue(
  on: Runner,
  { now, keepsEnded }: { now: number; keepsEnded: boolean },
  limit: number,
): Promise<string[]> {
  return query.texts(
    on,
    `delete from uploads where id in (
       select id from uploads
       where not ${isInUse}
         and (expires_at <= $1${keepsEnded ? '' : ' or exists (select 1 from jobs where upload_id = uploads.id)'})
       limit $2)
     returning id`,
    [now, limit],
  );
}

/** The given ids that have a row. */
export const findKnown = mapOfIds({}, (places) => `select id from uploads where id in (${places})`);

/** In the order of their ids, beginning after `after`. */
export function listUploads(
  on: Runner,
  after: string,
  createdBefore: number,
  limit: number,
): Promise<string[]> {
  return query.texts(
    on,
    'select id from uploads where id > $1 and created_at < $2 order by id limit $3',
    [after, createdBefore, limit],
  );
}

export async function forgetUpload(on: Runner, id: string): Promise<void> {
  await on.run('delete from uploads where id = $1', [id]);
}
