// Statements over many ids: their texts are kept, one for each length and number of first values.
import { expect, test } from 'bun:test';
import type { Row } from './database.ts';
import { overIds } from './table.ts';

const runnerWith = (clause: string) => ({
  run: async <T = Row>(...statement: unknown[]) => statement as T[],
  lock: () => clause,
});

test('the places of ids follow those of the first values, whatever was built before', async () => {
  const run = overIds((places, lock) => places + lock, 'for update');
  for (const clause of ['', ' locked', '', ' locked']) {
    const on = runnerWith(clause);
    expect(await run(on, ['a', 'b'])).toEqual([`$1, $2${clause}`, ['a', 'b']] as never);
    const first = [`$2, $3${clause}`, ['first', 'a', 'b']];
    expect(await run(on, ['a', 'b'], 'first')).toEqual(first as never);
    const padded = [`$2, $3, $4, $5${clause}`, ['first', 'a', 'b', 'c', 'c']];
    expect(await run(on, ['a', 'b', 'c'], 'first')).toEqual(padded as never);
  }
});
