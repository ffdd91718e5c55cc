// The free space of a disk.
import { statfs } from 'node:fs/promises';

/** Undefined when it cannot be read, such as for a folder that does not exist. */
export async function freeBytesOf(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
