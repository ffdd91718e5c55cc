// Returns the free pages of a SQLite file to the file system.
import type { Runner } from '../database.ts';

const incremental = 2;

/** Zero for files of older versions, which cannot return pages step by step. */
export async function countFreePages(sqlite: Runner): Promise<number> {
  const [mode] = await sqlite.run('pragma auto_vacuum');
  if (Number(mode?.['auto_vacuum']) !== incremental) return 0;
  const [row] = await sqlite.run('pragma freelist_count');
  return Number(row?.['freelist_count']);
}

export async function freePages(sqlite: Runner, pages: number): Promise<void> {
  await sqlite.run(`pragma incremental_vacuum(${Math.trunc(pages)})`);
}
