// Stored answers on both engines: long parts are kept apart, and what this version cannot read, because
// another version or a person wrote it, fails nothing that does not need it.
import { describe, expect, test } from 'bun:test';
import { JobList } from '@trivium/contract';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { readJobs } from '../../src/transcription/list-jobs.ts';
import { insertJobs } from '../../src/transcription/store/jobs.ts';
import { startExa } from '../exa-upstream.ts';
import { openGateway, type TestGateway } from '../gateway.ts';
import { makeNewJob } from '../job-row.ts';
import { balance } from './gateway-on-store.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openStoredAnswer } from '../../src/requests/idempotency.ts';
import { answerToKeep, type Caller } from '../../src/requests/index.ts';
import { putClaims } from '../../src/requests/store/idempotency.ts';

const cached = { 'x-trivium-cache': '3600' };

/** Not JSON, another shape, and an amount that is not a whole number of micro-USD. */
const unreadable = [
  `'{'`,
  `'{}'`,
  `replace(value, '"cost":', '"cost":null,"was":')`,
  `replace(replace(value, '"amount":', '"amount":0.5,"was":'), '"cost":1', '"cost":0.5,"was":1')`,
];
const pages = unreadable.map((_, at) => `https://example.org/page-${at}`);

describe.each(engines)('on $name', (engine) => {
  test('an unreadable cache entry is fetched again and stored', async () => {
    await using store = await makeStore(engine);
    using exa = startExa();
    const start = () =>
      openGateway(exa.url, { ...store.settings, TRIVIUM_BOOTSTRAP_BALANCE_USD: '1' });
    const expectAll = async (gateway: TestGateway, how: string) => {
      for (const page of pages) {
        exa.answer(() => contentsOf(page));
        const ask = { provider: 'engine_a', query: page };
        const found = await gateway.search(cached, ask);
        const body = { provider: 'engine_a', urls: [page] };
        const read = await gateway.ask('POST', '/v1/extract', { body, headers: cached });
        for (const { status, headers } of [found, read]) {
          expect([status, headers.get('x-trivium-cache')?.split(';')[0]]).toEqual([200, how]);
        }
      }
    };
    {
      await using gateway = await start();
      await expectAll(gateway, 'miss');
    }
    for (const [at, value] of unreadable.entries()) {
      const set = `update cache_entries set value = ${value} where value like $1 returning id`;
      expect(await store.database.run(set, [`%page-${at}"%`])).toHaveLength(2);
    }
    await using gateway = await start();
    const before = await balance(gateway);
    await expectAll(gateway, 'miss');
    const after = await balance(gateway);
    expect(before.balance_usd - after.balance_usd).toBeCloseTo(8 * costUsd, 6);
    await expectAll(gateway, 'hit');
    expect(exa.calls()).toBe(4 * pages.length);
  });

  test('a job with unreadable JSON is listed with its other columns', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await insertAccount(database, { id: 'acct_a', name: 'a' }, 0);
    const ids = ['1', '2', '3', '4'].map((end) => `job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3${end}`);
    await insertJobs(
      database,
      ids.map((id, at) =>
        makeNewJob(id, { account_id: 'acct_a', key_id: 'key_a', created_at: at }),
      ),
    );
    await database.run(`update jobs set request = '{' where id = $1`, [ids[0] ?? '']);
    await database.run(`update jobs set error = '[]', status = 'failed' where id = $1`, [
      ids[1] ?? '',
    ]);
    await database.run(`update jobs set request = replace(request, 'https:', '') where id = $1`, [
      ids[2] ?? '',
    ]);
    const { jobs } = await readJobs({ database }, { limit: 50 });
    expect(jobs.map(({ id, audio_host, error }) => [id, audio_host, error?.message])).toEqual([
      [ids[3], 'x.example', undefined],
      [ids[2], null, undefined],
      [ids[1], 'x.example', expect.stringContaining('The error of job')],
      [ids[0], null, undefined],
    ]);
    expect(JobList.shape.jobs.safeParse(jobs).error?.issues ?? []).toEqual([]);
  });
});

const costUsd = 0.001;

/** The answer to a search, and to an extraction. */
function contentsOf(page: string): Response {
  return Response.json({
    requestId: 'r',
    results: [{ id: page, url: page, title: 'Page', text: 'Text', highlights: ['words'] }],
    statuses: [{ id: page, status: 'success' }],
    costDollars: { total: costUsd },
  });
}

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
