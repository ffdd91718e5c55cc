// Answers that are stored under an idempotency key, on both engines: long parts are kept apart.
import { expect, test } from 'bun:test';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openStoredAnswer } from '../../src/requests/idempotency.ts';
import { answerToKeep, type Caller } from '../../src/requests/index.ts';
import { putClaims } from '../../src/requests/store/idempotency.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const caller = { account_id: 'acct', key_id: 'key_1' } as Caller;
const long = `"${'x'.repeat(100_000)}"`;

test.each(engines)('on $name', async (engine) => {
  await using store = await makeStore(engine);
  const { database } = store;
  await insertAccount(database, { id: 'acct', name: 'a' }, 0);
  const context = { database, clock: systemClock };
  const row = {
    account_id: 'acct',
    value_hash: 'v',
    sent_by: 'key_1',
    expires_at: Date.now() + 60_000,
  };
  const put = async (key: string, text: string) => {
    const owner = `req_${key}`;
    const ref = { account_id: 'acct', key, owner };
    const kept = await answerToKeep(context, caller, ref, { status: 200, text, pieces: [long] });
    const { body: answer, parts: answer_parts = null, bytes: answer_bytes = null } = kept;
    const stored = { answer, answer_parts, answer_bytes, status: 200, state: 'done' } as const;
    await putClaims(database, [{ ...row, key, owner, ...stored }]);
  };
  const running = { state: 'running', status: null, answer: null } as const;
  await putClaims(database, [{ ...row, key: 'running', owner: 'req_1', ...running }]);
  await put('short', '{"results":[1]}');
  await put('long', `{"results":[${long},1]}`);
  await put('huge', 'x'.repeat(4 * 1024 * 1024 + 1));
  const read = async (key: string) => {
    const found = await openStoredAnswer(context, caller, key);
    if (typeof found !== 'object' || !found.read)
      return found && (found === 'running' ? found : 'gone');
    const { text, bytes, partAt } = found.read;
    return [text, bytes, await partAt(0)];
  };
  expect(await read('unknown')).toBeUndefined();
  expect(await read('running')).toBe('running');
  expect(await read('short')).toEqual(['{"results":[1]}', 15, undefined]);
  expect(await read('long')).toEqual(['{"results":[null,1]}', 100_017 + 1, long]);
  expect(await read('huge')).toBe('gone');
});
