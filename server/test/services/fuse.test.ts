// Fusion over a real sandbox: which members are called, and what happens to late, failing and
// missing ones.
import { afterAll, beforeAll, beforeEach, describe, test } from 'bun:test';
import { GatewayError, type SearchEngineId, SearchRequest } from '@trivium/contract';
import { expect, proves } from '../../../e2e/proves.ts';
import { performFusion, planFusion } from '../../src/search/fusion.ts';
import { choosePanel } from '../../src/search/engine-choice.ts';
import { planSearch } from '../../src/search/search-engine.ts';
import { type SandboxContext, startSandboxContext } from './sandbox-context.ts';
import type { UpstreamContext } from '../../src/upstream/context.ts';

const panel = ['engine_a', 'engine_b', 'engine_j', 'engine_k'] as const;
const mountOf = {
  engine_a: '/exa',
  engine_b: '/parallel',
  engine_j: '/you',
  engine_k: '/perplexity',
};
/** Longer than any attempt waits; the sandbox stops as soon as the caller disconnects. */
const never = { delay_ms: 60_000 };
/** Short for a test, but long enough for the other members of a panel on a busy machine. */
const short = { fusion: { timeout_ms: 2500 } };

let sandbox: SandboxContext;
beforeAll(async () => {
  sandbox = await startSandboxContext();
  // The first search of each engine builds its index; no test should wait for that.
  await run(sandbox.context(panel), {});
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

function ask(more: object): SearchRequest {
  return SearchRequest.parse({ query: 'solar battery storage', provider: 'fusion', ...more });
}

function plan(context: UpstreamContext, request: SearchRequest) {
  const named = request.provider_options?.fusion?.providers;
  return planFusion(context, choosePanel(context.providers, named, undefined), request);
}

function run(context: UpstreamContext, more: object, signal?: AbortSignal) {
  const planned = plan(context, ask(more));
  const limits = { timeout_ms: planned.time.vendorMs, maxBytes: 16 * 1024 * 1024 };
  return performFusion(context, planned, { ...limits, attempts: [], signal });
}

async function answered(context: UpstreamContext, more: object = {}) {
  const outcome = await run(context, more);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failed));
  return outcome;
}

function engines(results: { sightings: { engine: string }[] }[]): string[] {
  return [
    ...new Set(results.flatMap(({ sightings }) => sightings.map((one) => one.engine))),
  ].sort();
}

const calls = () => Promise.all(Object.values(mountOf).map((mount) => sandbox.calls(mount)));

describe('a healthy panel', () => {
  test('calls every member once and adds up their costs', async () => {
    const { fusion, warnings, cost } = await answered(sandbox.context(panel));
    await proves('fusion.fans-out', async () => {
      expect(await calls()).toEqual([1, 1, 1, 1]);
      expect(engines(fusion.results)).toEqual([...panel]);
    });
    expect(warnings).toEqual([]);
    proves('fusion.cost.default-panel', () =>
      expect(Number(cost.amount)).toBe(7000 + 5000 + 5000 + 5000),
    );
  });

  test('holds the highest cost of all members together', () => {
    const context = sandbox.context(panel);
    const request = ask({ max_results: 50, content: { summary: true } });
    const alone = panel.map((id) => {
      const configured = context.providers[id];
      if (!configured.upstream) throw new Error(`${id} is not configured`);
      return planSearch(context, { ...configured, upstream: configured.upstream }, request).maxCost;
    });
    expect(Number(plan(context, request).maxCost)).toBe(alone.reduce((sum, most) => sum + most, 0));
  });

  test('gives each member ten seconds and keeps its first three by default', () => {
    const { options } = plan(sandbox.context(panel), ask({}));
    proves(['fusion.timeout.default', 'fusion.top-k.default'], () =>
      expect(options).toEqual({ timeout_ms: 10_000, top_k: 3 }),
    );
  });

  test('merges equal warnings of several members, and names the members first', async () => {
    const { warnings } = await answered(sandbox.context(panel), {
      safe_search: 'strict',
      mode: 'fast',
    });
    const reported = warnings.map(({ param, message }) => [param, message.split(':')[0]]);
    proves(['panel.member-warnings', 'panel.member-warnings-merged'], () =>
      expect(reported).toEqual([
        ['safe_search', 'engine_a, engine_b, engine_j, engine_k'],
        ['mode', 'engine_j, engine_k'],
      ]),
    );
  });
});

describe('a failing member', () => {
  test('is called again after a timeout, and is paid once', async () => {
    await sandbox.fault('/you', 'slow', { ...never, times: 1 });
    const { fusion, warnings, cost } = await answered(sandbox.context(panel), {
      provider_options: short,
    });
    await proves('fusion.timeout.retried-once', async () => {
      expect(await calls()).toEqual([1, 1, 2, 1]);
      expect(engines(fusion.results)).toEqual([...panel]);
    });
    expect(warnings).toEqual([]);
    proves('money.fusion.retry-once', () => expect(Number(cost.amount)).toBe(22_000));
  });

  test('has the same time for both attempts', async () => {
    const context = sandbox.context(['engine_j']);
    const given: number[] = [];
    await sandbox.fault('/you', 'slow', never);
    const send: UpstreamContext['send'] = (outgoing) => {
      given.push(outgoing.timeout_ms);
      return context.send(outgoing);
    };
    await run({ ...context, send }, { provider_options: { fusion: { timeout_ms: 500 } } });
    proves('panel.time-budget', () => expect(given).toEqual([500, 500]));
  });

  test('is dropped with a warning after two timeouts, and costs nothing', async () => {
    await sandbox.fault('/you', 'slow', never);
    const { fusion, warnings, cost } = await answered(sandbox.context(panel), {
      provider_options: short,
    });
    await proves('fusion.timeout.dropped', async () => {
      expect(await calls()).toEqual([1, 1, 2, 1]);
      expect(engines(fusion.results)).toEqual(['engine_a', 'engine_b', 'engine_k']);
    });
    proves('warnings.fusion-member-dropped', () =>
      expect(warnings).toEqual([
        {
          code: 'results_post_filtered',
          message: 'engine_j: dropped from the panel: no answer within 2500 ms, asked 2 times.',
        },
      ]),
    );
    proves('money.fusion.dropped-free', () => expect(Number(cost.amount)).toBe(17_000));
  });

  const refusals: [string, string][] = [
    ['rate_limited', 'Too many requests. Slow down and try again'],
    ['unauthorized', 'The API key is not valid'],
    ['server_error', 'Something went wrong on our side'],
    ['malformed', 'the provider answered with something that is not a search answer'],
  ];
  for (const [fault, reason] of refusals) {
    test(`is dropped at once with its reason if the fault is ${fault}`, async () => {
      await sandbox.fault('/perplexity', fault);
      const { fusion, warnings, cost } = await answered(sandbox.context(panel));
      expect(await calls()).toEqual([1, 1, 1, 1]);
      expect(engines(fusion.results)).toEqual(['engine_a', 'engine_b', 'engine_j']);
      expect(warnings.map(({ code, message }) => [code, message])).toEqual([
        ['results_post_filtered', `engine_k: dropped from the panel: ${reason}.`],
      ]);
      proves('money.fusion.members-that-answered', () => expect(Number(cost.amount)).toBe(17_000));
    });
  }

  test('makes the search fail with every reason if no member answered', async () => {
    for (const mount of Object.values(mountOf)) await sandbox.fault(mount, 'rate_limited');
    const outcome = await run(sandbox.context(panel), {});
    expect(outcome.ok).toBe(false);
    if (outcome.ok) return;
    expect(outcome.failed.map(({ engine, refusal }) => [engine, refusal.status])).toEqual(
      panel.map((engine) => [engine, 429]),
    );
  });
});

describe('a caller who disconnects', () => {
  test('pays for the calls that were made, and no member is called again', async () => {
    await sandbox.fault('/exa', 'slow', never);
    await sandbox.fault('/you', 'slow', never);
    const leaving = new AbortController();
    const fusion = { timeout_ms: 1000 };
    const running = run(sandbox.context(panel), { provider_options: { fusion } }, leaving.signal);
    const polls = 400;
    for (let poll = 0; poll < polls && (await sandbox.calls('/you')) === 0; poll += 1) {
      await Bun.sleep(5);
    }
    leaving.abort();
    const outcome = await running;
    // The members that answered are merged and paid for; the late ones are not called again.
    expect(outcome.ok && Number(outcome.cost.amount)).toBe(10_000);
    expect((await calls())[2]).toBe(1);
  });
});

describe('the panel', () => {
  test('is reduced to the configured members without a warning, as long as two are left', async () => {
    const { fusion, warnings } = await answered(
      sandbox.context(['engine_a', 'engine_c', 'engine_k']),
    );
    proves(['fusion.providers.default-panel', 'fusion.providers.intersected'], () => {
      expect(engines(fusion.results)).toEqual(['engine_a', 'engine_k']);
      expect(warnings).toEqual([]);
    });
  });

  test('of one member runs, and warnings say which members are missing and why', async () => {
    const { fusion, warnings } = await answered(sandbox.context(['engine_j'], ['engine_k']));
    proves('panel.one-configured', () => {
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
          'engine_k: not on the panel, because it is disabled on this deployment.',
        ],
      ]);
    });
  });

  test('that the caller names runs in its order, and a warning names each member that cannot run', async () => {
    const providers: SearchEngineId[] = ['engine_k', 'engine_c', 'engine_b', 'engine_a'];
    const { fusion, warnings } = await answered(sandbox.context(panel, ['engine_b']), {
      provider_options: { fusion: { providers } },
    });
    proves('fusion.providers.named', () => {
      expect(engines(fusion.results)).toEqual(['engine_a', 'engine_k']);
      expect(fusion.results[0]?.raw).toStartWith('{"providers":{"engine_k":');
    });
    proves('panel.named-missing', () =>
      expect(warnings.map(({ param, message }) => [param, message.split(':')[0]])).toEqual([
        ['provider_options.fusion.providers', 'engine_c'],
        ['provider_options.fusion.providers', 'engine_b'],
      ]),
    );
  });

  test('with no member left is refused as not configured', () => {
    const providers: SearchEngineId[] = ['engine_d', 'engine_e'];
    const attempts = [
      () => plan(sandbox.context([]), ask({})),
      () => plan(sandbox.context(panel), ask({ provider_options: { fusion: { providers } } })),
    ];
    proves(['panel.none-configured', 'panel.named-none-left'], () => {
      for (const attempt of attempts) {
        expect(attempt).toThrow(GatewayError);
        expect(attempt).toThrow(/No member of the fusion panel can run/);
      }
    });
  });
});
