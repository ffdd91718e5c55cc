// Writes files that contain people's queries: only their owner may read them, and a file gets its
// name once it is complete.
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** `write` writes into a new file, because others could prepare a known name as a link. */
export async function writeWhole(
  file: string,
  write: string | ((part: string) => Promise<void>),
): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  const text = typeof write === 'string' ? write : '';
  await writeFile(part, text, { mode: 0o600, flag: 'wx' });
  try {
    if (typeof write !== 'string') await write(part);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
