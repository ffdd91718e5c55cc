// What opens a circuit: the test plays every recorded conversation of every extraction provider
// through a guard, often enough for failures to open it.
import { describe, expect, test } from 'bun:test';
import { ExtractRequest, typedName } from '@trivium/contract';
import { leastCalls } from '../src/upstream/core/circuits.ts';
import type { Outgoing, Send } from '../src/platform/http-client.ts';
import type { Provider } from '../src/providers/provider.ts';
import { providers } from '../src/providers/registry.ts';
import type { Refusal } from '../src/upstream/core/refusal.ts';
import { performExtract } from '../src/extract/extract-pages.ts';
import { planExtract } from '../src/extract/extract-plan.ts';
import { healthOf, isAboutKey, makeGuard } from '../src/upstream/guard.ts';
import { fixtureNames, readFixture } from './fixtures.ts';
import { fakeContext } from './play.ts';

const files = fixtureNames().filter((file) => file.includes('.extract.'));
const limits = { maxRunning: 100, maxWaiting: 0, maxWaitMs: 1 };
const budget = { timeout_ms: 60_000, maxBytes: 1_000_000 };

type FixtureAnswer = { refused?: string; failed?: unknown[] };

/** Plays a fixture often enough for failures to open the circuit, and returns its state. */
async function playOften(file: string, send?: Send) {
  const fixture = readFixture(file);
  const provider = Object.values(providers).find(({ id }) => typedName(id) === file.split('.')[0]);
  if (!provider) throw new Error(`${file} names no provider`);
  const results: string[] = [];
  const { context: first, chosen } = fakeContext(provider, fixture, []);
  const guard = makeGuard(chosen.upstream, limits, first.clock);
  for (let count = 0; count < leastCalls; count += 1) {
    const sent: Outgoing[] = [];
    const { context } = fakeContext(provider, fixture, sent);
    const metrics = {
      called: (_id: string, result: string) => void results.push(result),
      adapterFailed: () => undefined,
    };
    const watched = { ...context, ...(send ? { send } : {}), metrics };
    const request = ExtractRequest.parse({ ...fixture.asked, provider: provider.id });
    await performExtract(watched, planExtract(watched, { ...chosen, guard }, request), budget);
  }
  const answered = fixture.answered as FixtureAnswer;
  const further = provider.extract?.followUp ? fixture.received.slice(1) : [];
  const broke = further.some(({ status }) => status >= 500);
  const aboutPages = fixture.received.every((reply) => faultOf(provider, reply) !== undefined);
  const health = healthOf(guard).circuit;
  return { circuit: health, results: [...new Set(results)], answered, broke, aboutPages };
}

/** The refusal in a reply that is about the pages; undefined for any other reply. */
function faultOf(provider: Provider, { status, headers, body }: Reply): Refusal | undefined {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const refusal = provider.read?.({ status, headers: new Headers(headers), text, body });
  if (typeof refusal !== 'object') return undefined;
  return provider.extract?.pageFault?.(refusal) === undefined ? undefined : refusal;
}

type Reply = ReturnType<typeof readFixture>['received'][number];

/** Only these are about the provider. */
const failures = ['unavailable', 'unreachable', 'uncertain'];

describe.each(files)('%s', (file) => {
  test('counts as a failure of the provider only if it is one', async () => {
    const { circuit, results, answered, broke, aboutPages } = await playOften(file);
    // An error that may be about the pages does not count, even if all pages got it.
    const isFailure = failures.includes(answered.refused ?? '') && !aboutPages;
    expect(circuit).toBe(isFailure ? 'open' : 'closed');
    // A second round that fails counts too, but it is only half of the calls.
    expect(results.some((result) => failures.includes(result))).toBe(isFailure || broke);
  });
});

test('the fixtures include failing pages for every provider that refuses some', () => {
  const withFault = Object.values(providers).filter(({ extract }) => extract?.pageFault);
  for (const { id } of withFault) {
    const vendor = typedName(id);
    const refused = files
      .filter((file) => file.startsWith(`${vendor}.`))
      .map((file) => readFixture(file))
      .filter(({ received, answered }) => {
        const status = received[0]?.status ?? 200;
        return status >= 400 && (answered as FixtureAnswer).failed !== undefined;
      });
    expect([vendor, refused.length > 0]).toEqual([vendor, true]);
  }
});

describe('a site that the provider refuses', () => {
  const spareKeys = ['spare-1', 'spare-2'];

  /** Plays a fixture once with three credentials. */
  async function playWithSpares(file: string, received: Reply[]) {
    const sent: Outgoing[] = [];
    const fixture = { ...readFixture(file), received };
    const { context, chosen } = fakeContext(providers.engine_f, fixture, sent);
    const upstream = { ...chosen.upstream, spare_keys: spareKeys };
    const guard = makeGuard(upstream, limits, context.clock);
    const request = ExtractRequest.parse({ ...fixture.asked, provider: 'engine_f' });
    await performExtract(context, planExtract(context, { ...chosen, upstream, guard }, request), {
      ...budget,
    });
    return { calls: sent.length, resting: healthOf(guard).credentials_resting };
  }

  const refused = (error: string): Reply => ({ status: 403, body: { success: false, error } });

  test('suspends no credential and causes no second try', async () => {
    const file = 'firecrawl.extract.sites-refused.json';
    const { received } = readFixture(file);
    expect(await playWithSpares(file, received)).toEqual({ calls: 2, resting: 0 });
  });

  test('is not confused with a credential that lacks a permission', async () => {
    const file = 'firecrawl.extract.plain.json';
    const received = ['a', 'b', 'c'].map(() => refused('Forbidden'));
    expect(await playWithSpares(file, received)).toEqual({ calls: 2, resting: 2 });
  });
});

test('no refusal that is about a page is counted against the credential', () => {
  const faults = files.flatMap((file) => {
    const provider = Object.values(providers).find(
      ({ id }) => typedName(id) === file.split('.')[0],
    );
    return readFixture(file).received.flatMap((reply) => {
      const fault = provider && faultOf(provider, reply);
      return fault && isAboutKey(fault.kind) ? [`${file}: ${fault.message}`] : [];
    });
  });
  expect(faults).toEqual([]);
});

describe('a missing answer', () => {
  const late = () =>
    Promise.resolve({ ok: false as const, failure: 'timed_out' as const, message: 'late' });
  const large = () =>
    Promise.resolve({ ok: false as const, failure: 'too_large' as const, message: 'large' });
  const file = files.find((one) => one.startsWith('serper.extract.')) ?? '';
  test('within the usual time counts as a failure', async () => {
    expect((await playOften(file, late)).circuit).toBe('open');
  });
  test('because the pages are too large does not count', async () => {
    expect((await playOften(file, large)).circuit).toBe('closed');
  });
});
