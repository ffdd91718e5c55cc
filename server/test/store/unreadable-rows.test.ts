// Rows whose JSON this version cannot read, because another version or a person wrote them: they
// must not fail what does not need them.
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
