// Deletes expired uploads, files without a row, rows without a file, and incomplete uploads in a
// bucket.
import { dayMs, hourMs } from '@trivium/contract/durations';
import { every } from '../platform/every.ts';
import type { Repeated } from '../platform/every.ts';
import type { UploadContext } from './context.ts';
import { slowestBytesPerSecond } from './core/upload.ts';
import { maxUploadBytes } from './receive-upload.ts';
import { deleteDue, findKnown, forgetUpload, listUploads } from './store/uploads.ts';

const everyMs = 60_000;
/** How often files and rows are compared. */
const checkEveryMs = hourMs;
const stepRows = 100;
/** Another gateway may be about to record a file that it has just received. */
const settledMs = hourMs;

/** Sweeps at start and then regularly, until it is stopped. */
export function startSweepingUploads(context: UploadContext): Repeated {
  // The embedded store belongs to this process: nothing else can be receiving a file.
  const isAlone = context.database.engine === 'sqlite' && context.files.kind === 'folder';
  let checkedAt: number | undefined;
  const work = () => {
    const [now, before] = [context.clock.ticks(), checkedAt];
    if (before !== undefined && now - before < checkEveryMs) return deleteDueUploads(context);
    checkedAt = now;
    return sweepUploads(context, isAlone && before === undefined ? 0 : settledMs);
  };
  const onError = (error: unknown) => warn(context, error);
  return every(everyMs, { name: 'uploads', work, onError, startsNow: true });
}

/** `minAgeMs`: how old a file or a row must be before its counterpart must exist. */
export async function sweepUploads(context: UploadContext, minAgeMs: number): Promise<void> {
  const now = context.clock.now().getTime();
  await deleteDueUploads(context);
  await deleteUnknownFiles(context, now - minAgeMs);
  await deleteRowsWithoutFile(context, now - minAgeMs);
  await attempt(context, () => deleteUnfinished(context, now));
}

async function deleteDueUploads({ database, files, clock }: UploadContext): Promise<void> {
  for (;;) {
    const ids = await deleteDue(database, clock.now().getTime(), stepRows);
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

/**
 * Not done if the file may be on the disk of another gateway: such a row is deleted when it
 * expires.
 */
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

async function attempt(context: UploadContext, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => warn(context, error));
}

function warn({ log }: UploadContext, error: unknown): void {
  log.warn({ err: error }, 'sweeping uploads failed; the next round tries again');
}
