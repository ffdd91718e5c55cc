// Which searches are repeated as shadows, when, how many wait, what a stop does, how failures of the
// search itself count, and the warning about an invalid key.
import { expect, test } from 'bun:test';
import { SearchRequest } from '@trivium/contract';
import type { Caller, CurrentRequest } from '../requests/index.ts';
import type { Done } from '../billing/index.ts';
import type { Panel } from '../quality/evidence.ts';
import { makeLog } from '../platform/log.ts';
import type { ShadowSettings } from '../settings/index.ts';
import { makeOverlapCounts } from './overlap.ts';
import { amountOf } from '../../test/amount-of.ts';
import { type AskShadow, makeShadows } from './shadows.ts';

const idOf = (page: number) => `res_${String(page).padStart(16, '0')}`;
const done = (more: Partial<Done> = {}): Done => ({
  cost: { amount: amountOf(7000) },
  warnings: [],
  delivered: 2,
  write: () => '',
  pieces: [`{"id":"${idOf(1)}","rank":1}`, `{"id":"${idOf(2)}","rank":2}`],
  ...more,
});
const request = SearchRequest.parse({ query: 'solar', provider: 'engine_a' });
const asked = (
  caller: Partial<Caller> = {},
  more: Partial<CurrentRequest> = {},
): CurrentRequest => ({
  ...{ request_id: 'req_1', tool: 'search', started: 0 },
  caller: { account_id: 'acct_1', key_id: 'key_1', ...caller },
  seen: {
    provider: 'engine_a',
    attempts: [{ provider: 'engine_a', outcome: 'answered', ms: 40 }],
  },
  ...more,
});

/** Nothing is repeated before `wake`, and no answer comes before `answer`. */
function open(more: Partial<ShadowSettings> = {}, ask?: AskShadow, payer = 'acct_payer') {
  const [calls, panels]: [{ body: object; caller: Caller }[], Panel[]] = [[], []];
  const overlap = makeOverlapCounts();
  const woken = Promise.withResolvers<undefined>();
  const [sleeps, warned]: [number[], unknown[]] = [[], []];
  const key = { payer };
  const shadows = makeShadows(
    {
      clock: {
        now: () => new Date(0),
        ticks: () => 0,
        sleep: async (ms) => {
          // A search may wait for a minute, which does not pass here.
          if (ms > 1000) return new Promise(() => undefined);
          sleeps.push(ms);
          return woken.promise;
        },
      },
      log: { ...makeLog('silent'), warn: (...words: unknown[]) => void warned.push(words.at(-1)) },
      random: () => 0.5,
      evidence: { note: (panel) => panels.push(panel) },
      overlap,
    },
    {
      ...{ share: 1, engines: ['engine_a', 'engine_c', 'engine_d'], key: '' },
      ...{ accounts: new Set<string>(), excluded: new Set<string>(), tags: [] },
      ...more,
    },
    {
      identify: () =>
        Promise.resolve(key.payer ? { account_id: key.payer, key_id: 'key_2' } : undefined),
      ask: (body, caller) => {
        calls.push({ body, caller });
        return ask?.(body, caller) ?? Promise.resolve({ pages: [idOf(2), idOf(3)], cost: 5 });
      },
    },
  );
  const wake = async () => {
    woken.resolve(undefined);
    for (let turn = 0; turn < 500; turn += 1) await Promise.resolve();
  };
  return { shadows, calls, panels, overlap, sleeps, warned, key, wake };
}

test('nothing is asked before the caller has had its answer for a while', async () => {
  const { shadows, calls, panels, sleeps, overlap, wake } = open();
  shadows.offer(request, asked(), done());
  await Promise.resolve();
  expect([sleeps, calls]).toEqual([[100], []]);
  await wake();
  expect(calls.map(({ caller }) => caller.account_id)).toEqual(['acct_payer', 'acct_payer']);
  expect(panels.map(({ account_id }) => account_id)).toEqual(['acct_1']);
  expect(panels[0]?.answers[0]).toEqual({
    ...{ engine: 'engine_a', pages: [idOf(1), idOf(2)], call: { cost: 7000, ms: 40 } },
  });
  // What two engines have in common is counted as for the members of a panel.
  expect(overlap.list().map(({ pair, compared, shared }) => [...pair, compared, shared])).toEqual([
    ['engine_a', 'engine_c', 2, 1],
    ['engine_a', 'engine_d', 2, 1],
    ['engine_c', 'engine_d', 2, 2],
  ]);
  expect(shadows.counts()).toEqual({ asked: 2, failed: 0, refused: 0, dropped: 0 });
});

test('only the share, the accounts and the tags that the operator wants', async () => {
  const tried = async (
    settings: Partial<ShadowSettings>,
    context: CurrentRequest,
    more: Partial<Done> = {},
    body = request,
  ) => {
    const { shadows, calls, wake } = open(settings);
    shadows.offer(body, context, done(more));
    await wake();
    return calls.length;
  };
  expect(await tried({}, asked())).toBe(2);
  expect(await tried({ share: 0.5 }, asked())).toBe(0);
  expect(await tried({ share: 0.51 }, asked())).toBe(2);
  expect(await tried({ accounts: new Set(['acct_2']) }, asked())).toBe(0);
  expect(await tried({ accounts: new Set(['acct_1']) }, asked())).toBe(2);
  expect(await tried({ excluded: new Set(['acct_1']) }, asked())).toBe(0);
  const tags = ['team=search', 'run=1'];
  expect(await tried({ tags }, asked())).toBe(0);
  expect(await tried({ tags }, asked({}, { tags: 'team=searching,xrun=1' }))).toBe(0);
  expect(await tried({ tags }, asked({}, { tags: 'a=b,run=1' }))).toBe(2);
  expect(await tried({}, asked(), { fromCache: true })).toBe(0);
  expect(await tried({}, asked(), {}, { ...request, provider: 'fusion' })).toBe(0);
  // What the caller changed, or did not wait for, is not the answer of the engine.
  const options = { engine_a: { type: 'fast' } };
  expect(await tried({}, asked(), {}, { ...request, provider_options: options })).toBe(0);
  expect(await tried({}, asked(), {}, { ...request, mode: 'fast' })).toBe(0);
  expect(await tried({}, asked({}, { content: { mode: 'block' } }))).toBe(0);
  expect(await tried({}, asked({}, { content: { max_tokens: 100 } }))).toBe(0);
  expect(await tried({}, asked({}, { content: { mode: 'annotate' } }))).toBe(2);
  expect(await tried({}, asked({}, { signal: AbortSignal.abort() }))).toBe(0);
  // Its own searches would be asked twice at its cost.
  expect(await tried({}, asked({ account_id: 'acct_payer' }))).toBe(0);
});

test('the rules of the caller hold together with those of the account that pays', async () => {
  const { shadows, calls, wake } = open();
  const policy = {
    providers: ['engine_a', 'engine_d'] as const,
    allowsPage: (url: string) => !url.includes('blocked'),
  };
  shadows.offer(request, asked({ policy }), done());
  await wake();
  expect(calls.map(({ body }) => (body as SearchRequest).provider)).toEqual(['engine_d']);
  const held = calls[0]?.caller.policy;
  expect(held?.providers).toEqual(['engine_a', 'engine_d']);
  expect(held?.keep_query_hours).toBe(0);
  expect(held?.allowsPage?.('https://blocked.example/')).toBe(false);
  expect(held?.allowsPage?.('https://other.example/')).toBe(true);
  expect(shadows.counts()).toEqual({ asked: 1, failed: 0, refused: 1, dropped: 0 });
});

test('a hundred wait, further ones are dropped, and accounts take turns', async () => {
  const { shadows, panels, wake } = open();
  for (let one = 0; one < 130; one += 1) shadows.offer(request, asked(), done());
  shadows.offer(request, asked({ account_id: 'acct_2' }), done());
  await Promise.resolve();
  expect(shadows.counts().dropped).toBe(27);
  for (let times = 0; times < 10; times += 1) await wake();
  expect(panels.length).toBe(104);
  // Another account does not wait for all of the first.
  expect(panels.findIndex(({ account_id }) => account_id === 'acct_2')).toBeLessThan(10);
});

test('failures of the search itself count, also when no engine answered', async () => {
  const attempts = [
    { provider: 'engine_b', outcome: 'unavailable', ms: 5 },
    { provider: 'engine_b', outcome: 'uncertain', ms: 9 },
    { provider: 'engine_e', outcome: 'overloaded', ms: 0 },
    { provider: 'engine_c', outcome: 'unreachable', ms: 3 },
    { provider: 'engine_a', outcome: 'rate_limited', ms: 1 },
    { provider: 'engine_a', outcome: 'answered', ms: 40 },
  ];
  const failed = (engine: string, ms: number) => ({
    engine,
    pages: undefined,
    call: { cost: 0, ms },
  });
  const answered = open();
  answered.shadows.offer(request, asked({}, { seen: { provider: 'engine_a', attempts } }), done());
  await answered.wake();
  expect(answered.calls.map(({ body }) => (body as SearchRequest).provider)).toEqual(['engine_d']);
  expect(answered.panels[0]?.answers.slice(0, 2)).toEqual([
    failed('engine_b', 9),
    failed('engine_c', 3),
  ]);
  expect(answered.panels[0]?.answers.map(({ engine }) => engine)).toEqual([
    ...['engine_b', 'engine_c', 'engine_a', 'engine_d'],
  ]);

  const offerFailed = async (outcome: string, settings = {}, body: object = {}) => {
    const tried = open(settings);
    const seen = {
      provider: 'engine_a' as const,
      attempts: [{ provider: 'engine_a', outcome, ms: 7 }],
    };
    tried.shadows.offer({ ...request, ...body }, asked({}, { seen }));
    await tried.wake();
    expect([tried.calls, tried.overlap.list()]).toEqual([[], []]);
    return tried.panels.map(({ answers }) => answers);
  };
  expect(await offerFailed('unavailable')).toEqual([[failed('engine_a', 7)]]);
  expect(await offerFailed('rejected')).toEqual([[failed('engine_a', 7)]]);
  const native = { provider_options: { engine_a: { type: 'deep' } } };
  expect(await offerFailed('rejected', {}, native)).toEqual([]);
  expect(await offerFailed('abandoned')).toEqual([]);
  expect(await offerFailed('unavailable', { share: 0.5 })).toEqual([]);
  expect(await offerFailed('unavailable', { excluded: new Set(['acct_1']) })).toEqual([]);
});

test('an invalid key is warned about at start, and once whenever it becomes invalid', async () => {
  const { shadows, warned, key, wake } = open({}, undefined, '');
  await wake();
  expect(warned).toEqual([expect.stringContaining('TRIVIUM_SHADOW_KEY')]);
  const repeatWith = async (payer: string) => {
    key.payer = payer;
    shadows.offer(request, asked(), done());
    await wake();
    return warned.length;
  };
  expect([await repeatWith(''), await repeatWith('')]).toEqual([1, 1]);
  expect([await repeatWith('acct_payer'), await repeatWith('')]).toEqual([1, 2]);
  expect(shadows.counts()).toMatchObject({ asked: 2, refused: 6 });
});

test('a stop drops those that wait', async () => {
  const { shadows, calls, wake } = open();
  shadows.offer(request, asked(), done());
  for (let one = 0; one < 10; one += 1) shadows.offer(request, asked(), done());
  shadows.stop();
  shadows.offer(request, asked(), done());
  await wake();
  expect(calls).toEqual([]);
  expect(shadows.counts()).toEqual({ asked: 0, failed: 0, refused: 0, dropped: 11 });
});

test('without a valid key nothing is asked, and a refused or broken call is not compared', async () => {
  const keyless = open({}, undefined, '');
  keyless.shadows.offer(request, asked(), done());
  await keyless.wake();
  expect([keyless.calls.length, keyless.shadows.counts().refused]).toEqual([0, 2]);
  const refused = open({}, () => Promise.resolve(undefined));
  refused.shadows.offer(request, asked(), done());
  await refused.wake();
  expect([refused.panels.length, refused.shadows.counts().refused]).toEqual([0, 2]);
  const broken = open({}, () => Promise.reject(new Error('broken')));
  broken.shadows.offer(request, asked(), done());
  await broken.wake();
  expect(broken.panels).toEqual([]);
  const failing = open({}, () => Promise.resolve('failed'));
  failing.shadows.offer(request, asked(), done());
  await failing.wake();
  expect(failing.panels[0]?.answers.map(({ pages }) => pages?.length)).toEqual([
    2,
    undefined,
    undefined,
  ]);
});
