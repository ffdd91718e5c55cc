// Fusion over a real sandbox: who is asked, and what becomes of late, refusing and missing members.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { GatewayError, SearchRequest } from '@trivium/contract';
import type { SearchEngineId } from '@trivium/contract';
import { proves } from '../../../e2e/verifies.ts';
import { performFusion, planFusion } from '../../src/services/fuse.ts';
import type { House } from '../../src/services/house.ts';
import { planSearch } from '../../src/services/search-one.ts';
import { startSandboxHouse } from './sandbox-house.ts';
import type { SandboxHouse } from './sandbox-house.ts';

const panel = ['engine_a', 'engine_b', 'engine_j', 'engine_k'] as const;
const mount_of = {
  engine_a: '/exa',
  engine_b: '/parallel',
  engine_j: '/you',
  engine_k: '/perplexity',
};
/** Longer than any try waits; the sandbox lets go as soon as the caller does. */
const never = { delay_ms: 60_000 };
/** Short for a test, and long enough for the others of a panel on a busy machine. */
const short = { fusion: { timeout_ms: 2500 } };

let upstairs: SandboxHouse;
beforeAll(async () => {
  upstairs = await startSandboxHouse();
  // The first search of each engine builds its index; no test should wait for that.
  await run(upstairs.house(panel), {});
});
beforeEach(() => upstairs.reset());
afterAll(() => upstairs.stop());

function ask(more: object): SearchRequest {
  return SearchRequest.parse({ query: 'solar battery storage', provider: 'fusion', ...more });
}

function run(house: House, more: object, signal?: AbortSignal) {
  return performFusion(house, planFusion(house, ask(more)), signal);
}

async function answered(house: House, more: object = {}) {
  const outcome = await run(house, more);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failed));
  return outcome;
}

function engines(results: { sightings: { engine: string }[] }[]): string[] {
  return [
    ...new Set(results.flatMap(({ sightings }) => sightings.map((one) => one.engine))),
  ].sort();
}

const calls = () => Promise.all(Object.values(mount_of).map((mount) => upstairs.calls(mount)));

describe('a panel in good health', () => {
  test('asks every member once and sums what they cost', async () => {
    proves('fusion.fans-out', 'fusion.cost.default-panel');
    const { fusion, warnings, cost } = await answered(upstairs.house(panel));
    expect(await calls()).toEqual([1, 1, 1, 1]);
    expect(engines(fusion.results)).toEqual([...panel]);
    expect(warnings).toEqual([]);
    expect(Number(cost.amount)).toBe(7000 + 5000 + 5000 + 5000);
  });

  test('is held for the most that all members together can cost', () => {
    const house = upstairs.house(panel);
    const request = ask({ max_results: 50, content: { summary: true } });
    const alone = panel.map((id) => {
      const station = house.stations[id];
      if (!station.upstream) throw new Error(`${id} is not configured`);
      return planSearch(house, { ...station, upstream: station.upstream }, request).maxCost;
    });
    expect(Number(planFusion(house, request).maxCost)).toBe(
      alone.reduce((sum, most) => sum + most, 0),
    );
  });

  test('gives each member ten seconds and keeps its first three unless told otherwise', () => {
    proves('fusion.timeout.default', 'fusion.top-k.default');
    const { options } = planFusion(upstairs.house(panel), ask({}));
    expect(options).toEqual({ timeout_ms: 10_000, top_k: 3 });
  });

  test('says once what several members say in the same words, and names them first', async () => {
    proves('panel.member-warnings', 'panel.member-warnings-merged');
    const { warnings } = await answered(upstairs.house(panel), {
      safe_search: 'strict',
      mode: 'fast',
    });
    const told = warnings.map(({ param, message }) => [param, message.split(':')[0]]);
    expect(told).toEqual([
      ['safe_search', 'engine_a, engine_b, engine_j, engine_k'],
      ['mode', 'engine_j, engine_k'],
    ]);
  });
});

describe('a member in trouble', () => {
  test('is asked again when it was late, and is paid once', async () => {
    proves('fusion.timeout.retried-once', 'money.fusion.retry-once');
    await upstairs.fault('/you', 'slow', { ...never, times: 1 });
    const { fusion, warnings, cost } = await answered(upstairs.house(panel), {
      provider_options: short,
    });
    expect(await calls()).toEqual([1, 1, 2, 1]);
    expect(engines(fusion.results)).toEqual([...panel]);
    expect(warnings).toEqual([]);
    expect(Number(cost.amount)).toBe(22_000);
  });

  test('has the same time for both tries', async () => {
    proves('panel.time-budget');
    const house = upstairs.house(['engine_j']);
    const given: number[] = [];
    await upstairs.fault('/you', 'slow', never);
    const send: House['send'] = (outgoing) => {
      given.push(outgoing.timeout_ms);
      return house.send(outgoing);
    };
    await run({ ...house, send }, { provider_options: { fusion: { timeout_ms: 500 } } });
    expect(given).toEqual([500, 500]);
  });

  test('is dropped with a warning when it was late twice, and costs nothing', async () => {
    proves('fusion.timeout.dropped', 'money.fusion.dropped-free', 'warnings.fusion-member-dropped');
    await upstairs.fault('/you', 'slow', never);
    const { fusion, warnings, cost } = await answered(upstairs.house(panel), {
      provider_options: short,
    });
    expect(await calls()).toEqual([1, 1, 2, 1]);
    expect(engines(fusion.results)).toEqual(['engine_a', 'engine_b', 'engine_k']);
    expect(warnings).toEqual([
      {
        code: 'results_post_filtered',
        message: 'engine_j: dropped from the panel: no answer within 2500 ms, asked 2 times.',
      },
    ]);
    expect(Number(cost.amount)).toBe(17_000);
  });

  const refusals: [string, string][] = [
    ['rate_limited', 'Too many requests. Slow down and try again'],
    ['unauthorized', 'The API key is not valid'],
    ['server_error', 'Something went wrong on our side'],
    ['malformed', 'the provider answered with something that is not a search answer'],
  ];
  for (const [fault, reason] of refusals) {
    test(`is dropped at once with its reason when it is ${fault}`, async () => {
      proves('money.fusion.members-that-answered');
      await upstairs.fault('/perplexity', fault);
      const { fusion, warnings, cost } = await answered(upstairs.house(panel));
      expect(await calls()).toEqual([1, 1, 1, 1]);
      expect(engines(fusion.results)).toEqual(['engine_a', 'engine_b', 'engine_j']);
      expect(warnings.map(({ code, message }) => [code, message])).toEqual([
        ['results_post_filtered', `engine_k: dropped from the panel: ${reason}.`],
      ]);
      expect(Number(cost.amount)).toBe(17_000);
    });
  }

  test('leaves an error with every reason when nobody answered', async () => {
    for (const mount of Object.values(mount_of)) await upstairs.fault(mount, 'rate_limited');
    const outcome = await run(upstairs.house(panel), {});
    expect(outcome.ok).toBe(false);
    if (outcome.ok) return;
    expect(outcome.failed.map(({ engine, refusal }) => [engine, refusal.status])).toEqual(
      panel.map((engine) => [engine, 429]),
    );
  });
});

describe('a caller who leaves', () => {
  test('pays for what was asked, and no member is asked again', async () => {
    await upstairs.fault('/exa', 'slow', never);
    await upstairs.fault('/you', 'slow', never);
    const leaving = new AbortController();
    const fusion = { timeout_ms: 1000 };
    const running = run(upstairs.house(panel), { provider_options: { fusion } }, leaving.signal);
    const polls = 400;
    for (let poll = 0; poll < polls && (await upstairs.calls('/you')) === 0; poll += 1) {
      await Bun.sleep(5);
    }
    leaving.abort();
    const outcome = await running;
    // The members that answered are merged and paid for; the late ones are not asked again.
    expect(outcome.ok && Number(outcome.cost.amount)).toBe(10_000);
    expect((await calls())[2]).toBe(1);
  });
});

describe('the panel', () => {
  test('is cut to what is configured without a word, as long as two are left', async () => {
    proves('fusion.providers.default-panel', 'fusion.providers.intersected');
    const { fusion, warnings } = await answered(
      upstairs.house(['engine_a', 'engine_c', 'engine_k']),
    );
    expect(engines(fusion.results)).toEqual(['engine_a', 'engine_k']);
    expect(warnings).toEqual([]);
  });

  test('of one runs, and names who is missing and why', async () => {
    proves('panel.one-configured');
    const { fusion, warnings } = await answered(upstairs.house(['engine_j'], ['engine_k']));
    expect(engines(fusion.results)).toEqual(['engine_j']);
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      [
        'results_post_filtered',
        'engine_a: not on the panel, because it has no credential on this deployment.',
      ],
      [
        'results_post_filtered',
        'engine_b: not on the panel, because it has no credential on this deployment.',
      ],
      [
        'results_post_filtered',
        'engine_k: not on the panel, because it is switched off on this deployment.',
      ],
    ]);
  });

  test('that is named runs in its order, and drops who cannot run with a warning', async () => {
    proves('fusion.providers.named', 'panel.named-missing');
    const providers: SearchEngineId[] = ['engine_k', 'engine_c', 'engine_b', 'engine_a'];
    const { fusion, warnings } = await answered(upstairs.house(panel, ['engine_b']), {
      provider_options: { fusion: { providers } },
    });
    expect(engines(fusion.results)).toEqual(['engine_a', 'engine_k']);
    expect(fusion.results[0]?.raw).toStartWith('{"providers":{"engine_k":');
    expect(warnings.map(({ param, message }) => [param, message.split(':')[0]])).toEqual([
      ['provider_options.fusion.providers', 'engine_c'],
      ['provider_options.fusion.providers', 'engine_b'],
    ]);
  });

  test('with nobody left is refused as not configured', () => {
    proves('panel.none-configured', 'panel.named-none-left');
    const providers: SearchEngineId[] = ['engine_d', 'engine_e'];
    const attempts = [
      () => planFusion(upstairs.house([]), ask({})),
      () => planFusion(upstairs.house(panel), ask({ provider_options: { fusion: { providers } } })),
    ];
    for (const attempt of attempts) {
      expect(attempt).toThrow(GatewayError);
      expect(attempt).toThrow(/No member of the fusion panel can run/);
    }
  });
});
