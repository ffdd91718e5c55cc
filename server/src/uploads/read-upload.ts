// What callers and jobs can do with an upload: read it, open it, delete it.
import { GatewayError } from '@trivium/contract';
import type { Upload } from '@trivium/contract';
import type { Caller } from '../requests/index.ts';
import type { StoredFile } from './file-store.ts';
import { audioUrl, readToken } from './audio-url.ts';
import type { UploadContext } from './context.ts';
import { deleteUnused, deleteUpload, findUpload } from './store/uploads.ts';
import type { StoredUpload } from './core/upload.ts';

export function describeUpload(context: UploadContext, upload: StoredUpload): Upload {
  const { id, bytes, seconds, expires_at } = upload;
  return {
    id,
    audio_url: audioUrl(context, id, expires_at),
    bytes,
    duration_seconds: seconds,
    expires_at: new Date(expires_at).toISOString(),
  };
}

export async function readUpload(
  context: UploadContext,
  caller: Pick<Caller, 'account_id'>,
  id: string,
): Promise<StoredUpload> {
  const upload = await findUpload(context.database, id);
  if (upload?.account_id !== caller.account_id || isOver(context, upload)) throw noUpload(id);
  return upload;
}

/** A job that waits for it fails, and its error says so. */
export async function removeUpload(
  context: UploadContext,
  caller: Pick<Caller, 'account_id'>,
  id: string,
): Promise<void> {
  if (!(await deleteUpload(context.database, id, caller.account_id))) throw noUpload(id);
  await context.files.delete(id);
}

/** Called when a job of the upload has ended. If this fails, the sweep deletes the upload. */
export async function releaseUpload(context: UploadContext, id: string): Promise<void> {
  try {
    if (await deleteUnused(context.database, id)) await context.files.delete(id);
  } catch (error) {
    context.log.warn({ err: error, upload: id }, 'an upload could not be deleted yet');
  }
}

/** The file of an upload. Undefined if it was deleted or is incomplete. */
export async function openUpload(
  context: UploadContext,
  id: string,
): Promise<{ upload: StoredUpload; file: StoredFile } | undefined> {
  const upload = await findUpload(context.database, id);
  const file = upload && (await context.files.find(id));
  return file?.bytes === upload?.bytes && upload && file ? { upload, file } : undefined;
}

/** The recording at a signed address, for anyone who knows the address. */
export async function openAddress(
  context: UploadContext,
  token: string,
): Promise<{ upload: StoredUpload; file: StoredFile }> {
  const known = readToken(context.secret, token);
  const isValid = known !== undefined && known.expiresAt > context.clock.now().getTime();
  const opened = isValid ? await openUpload(context, known.id) : undefined;
  if (!opened) {
    throw new GatewayError('not_found', 'There is no recording here, or it has been deleted.');
  }
  return opened;
}

function isOver({ clock }: UploadContext, { expires_at }: StoredUpload): boolean {
  return clock.now().getTime() >= expires_at;
}

function noUpload(id: string): GatewayError {
  return new GatewayError('not_found', `There is no upload ${id} on this account.`);
}
