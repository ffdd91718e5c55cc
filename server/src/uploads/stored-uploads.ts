// What happens to an upload after it was received: callers, jobs and providers read it, callers and
// jobs delete it, and a sweep removes what is left. Its address is unguessable, because the gateway
// signs it, and valid for a limited time. A caller sends it back as `audio_url`, and a provider may
// fetch the recording from it.
import { GatewayError, type Upload } from '@trivium/contract';
import { dayMs, hourMs } from '@trivium/contract/durations';
import { type Repeated, every } from '../platform/every.ts';
import { sameText, signWords } from '../platform/ids.ts';
import type { Caller } from '../requests/index.ts';
import type { UploadContext } from './context.ts';
import type { StoredFile } from './file-store.ts';
import { maxUploadBytes, slowestBytesPerSecond } from './receive-upload.ts';
import {
  type StoredUpload,
  deleteDue,
  deleteUnused,
  deleteUpload,
  findKnown,
  findUpload,
  forgetUpload,
  keepUntil,
  listUploads,
} from './store/uploads.ts';

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
  const isOwn = upload?.account_id === caller.account_id;
  if (!isOwn || context.clock.now().getTime() >= upload.expires_at) throw noUpload(id);
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

/**
 * Called when a job of the upload has ended: deletes it, or keeps it for as long as the operator
 * wants. If this fails, the sweep deletes the upload.
 */
export async function releaseUpload(context: UploadContext, id: string): Promise<void> {
  const keptMs = context.settings.keep_recording_hours * hourMs;
  try {
    if (keptMs > 0) await keepUntil(context.database, id, context.clock.now().getTime() + keptMs);
    else if (await deleteUnused(context.database, id)) await context.files.delete(id);
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

function noUpload(id: string): GatewayError {
  return new GatewayError('not_found', `There is no upload ${id} on this account.`);
}

export const filesPath = '/files';

export function audioUrl(context: UploadContext, id: string, expiresAt: number): string {
  const base = context.settings.public_url ?? context.ownUrl();
  const sign = signWords(context.secret, `upload ${id}.${expiresAt}`);
  return `${base}${filesPath}/${id}.${expiresAt}.${sign}`;
}

/** The id in the token of an address. Undefined unless the gateway signed it. */
function readToken(secret: string, token: string): { id: string; expiresAt: number } | undefined {
  const [, id, expiresAt, sign] =
    /^(upl_[0-9a-f]{32})\.(\d{1,15})\.([0-9a-f]{40})$/.exec(token) ?? [];
  if (id === undefined || expiresAt === undefined || sign === undefined) return undefined;
  const expected = signWords(secret, `upload ${id}.${expiresAt}`);
  return sameText(sign, expected) ? { id, expiresAt: Number(expiresAt) } : undefined;
}

/**
 * The id of the upload at this address. Any host is accepted: the public address of a gateway can
 * change, and only the gateway can have signed the token.
 */
export function uploadAt(secret: string, url: string): string | undefined {
  const [, token] = /^https?:\/\/[^?#]*\/files\/([^/?#]+)$/.exec(url) ?? [];
  return token === undefined ? undefined : readToken(secret, token)?.id;
}

/** True for any address below that of uploads, whether it is valid or not. */
export function isFilesUrl(context: UploadContext, url: string): boolean {
  const bases = [context.settings.public_url, context.ownUrl()];
  return bases.some((base) => base !== undefined && url.startsWith(`${base}${filesPath}/`));
}

const sweepEveryMs = 60_000;
/** How often files and rows are compared. */
const compareEveryMs = hourMs;
const stepRows = 100;
/** Another gateway may be about to record a file that it has just received. */
const settledMs = hourMs;

/** Sweeps at start and then regularly, until it is stopped. */
export function startSweepingUploads(context: UploadContext): Repeated {
  // The embedded store belongs to this process: nothing else can be receiving a file.
  const isAlone = context.database.engine === 'sqlite' && context.files.kind === 'folder';
  let comparedAt: number | undefined;
  const work = () => {
    const [now, before] = [context.clock.ticks(), comparedAt];
    if (before !== undefined && now - before < compareEveryMs) return deleteDueUploads(context);
    comparedAt = now;
    return sweepUploads(context, isAlone && before === undefined ? 0 : settledMs);
  };
  const onError = (error: unknown) => warn(context, error);
  return every(sweepEveryMs, { name: 'uploads', work, onError, startsNow: true });
}

/** `minAgeMs`: how old a file or a row must be before its counterpart must exist. */
export async function sweepUploads(context: UploadContext, minAgeMs: number): Promise<void> {
  const now = context.clock.now().getTime();
  await deleteDueUploads(context);
  await deleteUnknownFiles(context, now - minAgeMs);
  await deleteRowsWithoutFile(context, now - minAgeMs);
  await deleteUnfinished(context, now).catch((error: unknown) => warn(context, error));
}

async function deleteDueUploads(context: UploadContext): Promise<void> {
  const { database, files, clock, settings } = context;
  const keepsEnded = settings.keep_recording_hours > 0;
  for (;;) {
    const now = clock.now().getTime();
    const ids = await deleteDue(database, { now, keepsEnded }, stepRows);
    for (const id of ids) await files.delete(id);
    if (ids.length < stepRows) return;
  }
}

async function deleteUnknownFiles(context: UploadContext, olderThan: number): Promise<void> {
  const { database, files, receiving } = context;
  for await (const page of files.list()) {
    const old = page.filter(
      ({ name, modifiedAt }) =>
        isUpload(name) && modifiedAt <= olderThan && !receiving.names.has(name),
    );
    const known = await findKnown(
      database,
      old.map(({ name }) => name),
    );
    for (const { name } of old) if (!known.has(name)) await files.delete(name);
  }
}

/** Another gateway may still be receiving what is younger than the slowest upload takes. */
async function deleteUnfinished(context: UploadContext, now: number): Promise<void> {
  const longestMs = (maxUploadBytes(context) / slowestBytesPerSecond) * 1000;
  const before = now - Math.max(dayMs, 2 * longestMs);
  for await (const page of context.files.listUnfinished?.() ?? []) {
    for (const unfinished of page) {
      if (isUpload(unfinished.name) && unfinished.startedAt < before) await unfinished.delete();
    }
  }
}

/** The folder and the bucket may contain files of others. */
function isUpload(name: string): boolean {
  return /^upl_[0-9a-f]{32}$/.test(name);
}

/** If the file may be on the disk of another gateway, its row stays until it expires. */
async function deleteRowsWithoutFile(context: UploadContext, before: number): Promise<void> {
  const { database, files } = context;
  if (database.engine !== 'sqlite' && files.kind === 'folder') return;
  for (let after = ''; ;) {
    const ids = await listUploads(database, after, before, stepRows);
    for (const id of ids) if (!(await files.find(id))) await forgetUpload(database, id);
    const last = ids.at(-1);
    if (last === undefined || ids.length < stepRows) return;
    after = last;
  }
}

function warn({ log }: UploadContext, error: unknown): void {
  log.warn({ err: error }, 'sweeping uploads failed; the next round tries again');
}
