// Returns the free pages of a SQLite file to the file system, step by step like expired rows.
import { hourMs } from '@trivium/contract/durations';
import type { Runner } from '../database.ts';
import type { Expiring } from '../expiring.ts';
import { query } from '../table.ts';

/** Pages that stay in the file, because new rows will soon need them. */
const keptPages = 1000;
const incremental = 2;

export const freedPages: Expiring = {
  kind: 'free_pages',
  keptMs: hourMs,
  step: async (database, _at, pages) => {
    const surplus = (await countFreePages(database)) - keptPages;
    if (surplus >= pages) await database.run(`pragma incremental_vacuum(${Math.trunc(pages)})`);
    return surplus;
  },
};

/** Files of older versions cannot return pages step by step. */
async function countFreePages(on: Runner & { engine: string }): Promise<number> {
  if (on.engine === 'postgres') return 0;
  const mode = await query.number(on, 'pragma auto_vacuum');
  return mode === incremental ? query.number(on, 'pragma freelist_count') : 0;
}
