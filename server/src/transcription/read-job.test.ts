// An agent that asks for one long job many times at once causes one reading of its transcript.
import { expect, test } from 'bun:test';
import { makeJobRow } from '../../test/job-row.ts';
import type { Caller } from '../requests/request-context.ts';
import type { Database } from '../store/database.ts';
import { readJobBriefly } from './read-job.ts';

test('readers of the beginning of a job share one reading', async () => {
  const row = makeJobRow({ status: 'completed', result_id: 'text' });
  const parts = ['{"text":"Hello', '.","language":"en","words":[', '"never read"]}'];
  let reads = 0;
  const run = async (text: string, values: readonly unknown[]) => {
    await Bun.sleep(1);
    if (!text.includes('from texts')) return [{ ...row, request: JSON.stringify(row.request) }];
    reads += 1;
    return [{ content: parts[Number(values[1])] }];
  };
  const database = { run } as unknown as Database;
  const caller = { account_id: row.account_id } as Caller;
  const read = () => readJobBriefly({ database }, caller, row.id);
  const all = await Promise.all(Array.from({ length: 100 }, read));
  expect(all.every((text) => text.endsWith('"result":{"text":"Hello.","language":"en"}}'))).toBe(
    true,
  );
  expect(reads).toBe(2);
  await read();
  expect(reads).toBe(4);
});
