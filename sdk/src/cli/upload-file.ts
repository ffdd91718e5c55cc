// Uploads a file for a command, and shows a bar on the terminal meanwhile.
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from './command.ts';
import type { Context } from './command.ts';
import { plain } from './style.ts';

const barCells = 24;
const bytesPerMb = 1024 * 1024;
/** Drawing for every chunk would take longer than sending it. */
const drawEveryMs = 100;

/** Returns the address of the upload. */
export async function uploadFile(path: string, context: Context): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) {
    throw new UsageError(`${plain(path)} is neither an https address nor a file on this machine.`);
  }
  const name = plain(basename(path));
  let drawnAt = -Infinity;
  const onProgress = (sent: number, total = found.size) => {
    const now = performance.now();
    if (sent < total && now - drawnAt < drawEveryMs) return;
    drawnAt = now;
    context.status(`Uploading ${name}  ${progressBar(sent, total)}`);
  };
  const { audio_url } = await context.client().uploads.create(path, {
    signal: context.signal,
    ...(context.live ? { on_progress: onProgress } : {}),
  });
  context.status('Submitting the recording');
  return audio_url;
}

export function progressBar(sent: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, sent / total);
  const filled = Math.round(share * barCells);
  const cells = '█'.repeat(filled) + '░'.repeat(barCells - filled);
  const megabytes = (bytes: number) => (bytes / bytesPerMb).toFixed(1);
  return `${cells} ${Math.floor(share * 100)} %  ${megabytes(sent)} of ${megabytes(total)} MB`;
}
