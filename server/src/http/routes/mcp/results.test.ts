// Results of one MCP request that cost nothing to read.
import { expect, test } from 'bun:test';
import { makeByteBudget } from '../../../platform/byte-budget.ts';
import { systemClock } from '../../../platform/clock.ts';
import { openResults } from './results.ts';

const mebibyte = 1024 * 1024;

test('whole transcripts are read one at a time, and none after the results are too long', async () => {
  const bytes = makeByteBudget(1024 * mebibyte, systemClock.ticks);
  const batch = Array.from({ length: 60 }, () => ({ method: 'resources/read' }));
  const results = openResults(bytes, 'acct_1', batch);
  let running = 0;
  let reads = 0;
  const read = async () => {
    expect((running += 1)).toBe(1);
    reads += 1;
    await Bun.sleep(0);
    running -= 1;
    return await results.count('x'.repeat(5 * mebibyte), 'free');
  };
  const settled = await Promise.allSettled(batch.map(() => results.inTurn(read)));
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(reads).toBe(4);
  results.close();
});
