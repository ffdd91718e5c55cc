// Reads a whole file of an evaluation, and reports what is wrong with it.
import { readFile, stat } from 'node:fs/promises';
import { checkSize, InputError } from '@trivium/sdk/evaluate';
import { UsageError } from '../command.ts';
import { plain } from '../style.ts';

/** Anything but a file, such as an endless device, is refused. */
export async function readInput(path: string, maxBytes: number): Promise<string> {
  const failed = (error: NodeJS.ErrnoException) => {
    throw new UsageError(`${plain(path)} cannot be read: ${error.code ?? error.message}.`);
  };
  const found = await stat(path).catch(failed);
  if (!found.isFile()) throw new UsageError(`${plain(path)} is not a file.`);
  checked(() => checkSize(path, found.size, maxBytes));
  return (await readFile(path, 'utf8').catch(failed)).replace(/^\uFEFF/, '');
}

export function checked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return asUsage(error);
  }
}

/** A faulty file is a fault of the command. Its lines must not control the terminal. */
export function asUsage(error: unknown): never {
  throw error instanceof InputError ? new UsageError(plain(error.message)) : error;
}
