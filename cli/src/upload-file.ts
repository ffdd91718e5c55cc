// Uploads a file for a command and shows the progress: a bar on a terminal, lines elsewhere.
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Upload } from '@trivium/contract';
import { UsageError } from './command.ts';
import type { Context } from './command.ts';
import { plain } from './style.ts';

const barCells = 24;
const bytesPerMb = 1024 * 1024;
/** Drawing for every chunk would take longer than sending it. */
const drawEveryMs = 100;
const lineEveryMs = 10_000;

export async function uploadFile(path: string, context: Context): Promise<Upload> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) {
    throw new UsageError(`${plain(path)} is neither an https address nor a file on this machine.`);
  }
  const name = plain(basename(path));
  const show = context.live
    ? { everyMs: drawEveryMs, write: (line: string) => context.status(line) }
    : { everyMs: lineEveryMs, write: (line: string) => context.note(`${line}\n`) };
  let shownAt = -Infinity;
  const onProgress = (sent: number, total = found.size) => {
    const now = performance.now();
    if (now - shownAt < show.everyMs && !(context.live && sent === total)) return;
    shownAt = now;
    const progress = { file: name, sent_bytes: sent, total_bytes: total };
    if (context.jsonNotes) context.note(`${JSON.stringify({ uploading: progress })}\n`);
    else show.write(`Uploading ${name}  ${progressText(sent, total, context.live)}`);
  };
  onProgress(0);
  return context.client().uploads.create(path, {
    signal: context.signal,
    onProgress,
  });
}

/** The bar is only for terminals; a log gets plain lines. */
export function progressText(sent: number, total: number, bar: boolean): string {
  const share = total === 0 ? 1 : Math.min(1, sent / total);
  const filled = Math.round(share * barCells);
  const cells = `${'█'.repeat(filled)}${'░'.repeat(barCells - filled)} `;
  const megabytes = (bytes: number) => (bytes / bytesPerMb).toFixed(1);
  const numbers = `${Math.floor(share * 100)} %  ${megabytes(sent)} of ${megabytes(total)} MB`;
  return bar ? cells + numbers : numbers;
}
