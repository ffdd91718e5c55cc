// What opens a circuit: every recorded conversation of every extraction provider, played often
// enough, through a guard.
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExtractRequest } from '@trivium/contract';
import { least_calls } from '../src/domain/resilience/circuit.ts';
import type { Outgoing } from '../src/platform/http.ts';
import { providers } from '../src/providers/index.ts';
import { performExtract } from '../src/services/extract-pages.ts';
import { planExtract } from '../src/services/extract-plan.ts';
import { makeGuard } from '../src/services/guard.ts';
import type { House } from '../src/services/house.ts';
import { fakeHouse, type Fixture } from './play.ts';

const folder = join(import.meta.dir, '../fixtures');
const files = readdirSync(folder).filter((file) => file.includes('.extract.'));
const limits = { most_running: 100, most_waiting: 0, longest_wait_ms: 1 };
const budget = { timeout_ms: 60_000, max_bytes: 1_000_000 };

type Told = { refused?: string; failed?: unknown[] };

/** Plays it so often that failures would open the circuit; gives what became of the circuit. */
async function playOften(file: string, send?: House['send']) {
  const fixture = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fixture;
  const provider = Object.values(providers).find(
    ({ name }) => /^[a-z]+/.exec(name.toLowerCase())?.[0] === file.split('.')[0],
  );
  if (!provider) throw new Error(`${file} names no provider`);
  const results: string[] = [];
  const { house: first, chosen } = fakeHouse(provider, fixture, []);
  const guard = makeGuard(chosen.upstream, limits, first.clock);
  for (let count = 0; count < least_calls; count += 1) {
    const sent: Outgoing[] = [];
    const { house } = fakeHouse(provider, fixture, sent);
    const watch = { called: (_id: string, result: string) => void results.push(result) };
    const watched = { ...house, ...(send ? { send } : {}), watch } as unknown as House;
    const request = ExtractRequest.parse({ ...fixture.asked, provider: provider.id });
    await performExtract(watched, planExtract(watched, { ...chosen, guard }, request), budget);
  }
  const told = fixture.answered as Told;
  const further = provider.extract?.followUp ? fixture.received.slice(1) : [];
  const broke = further.some(({ status }) => status >= 500);
  return { circuit: guard.circuit.state, results: [...new Set(results)], told, broke };
}

/** These alone speak of the provider. */
const failures = ['unavailable', 'unreachable', 'uncertain'];

describe.each(files)('%s', (file) => {
  test('counts as a failure of the provider only if it is one', async () => {
    const { circuit, results, told, broke } = await playOften(file);
    // A second round that breaks is a failure too, though the pages of the first are served.
    const isFailure = failures.includes(told.refused ?? '') || broke;
    expect([circuit, results.some((result) => failures.includes(result))]).toEqual(
      isFailure ? ['open', true] : ['closed', false],
    );
  });
});

test('pages that fail are among what is played, for every provider that refuses them', () => {
  const withFault = Object.values(providers).filter(({ extract }) => extract?.pageFault);
  for (const { name } of withFault) {
    const vendor = /^[a-z]+/.exec(name.toLowerCase())?.[0] ?? '';
    const refused = files
      .filter((file) => file.startsWith(`${vendor}.`))
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fixture)
      .filter(({ received, answered }) => {
        const status = received[0]?.status ?? 200;
        return status >= 400 && (answered as Told).failed !== undefined;
      });
    expect([vendor, refused.length > 0]).toEqual([vendor, true]);
  }
});

describe('an answer that does not come', () => {
  const late = () =>
    Promise.resolve({ ok: false as const, failure: 'timed_out' as const, message: 'late' });
  const large = () =>
    Promise.resolve({ ok: false as const, failure: 'too_large' as const, message: 'large' });
  const file = files.find((one) => one.startsWith('serper.extract.')) ?? '';
  test('in the time that is usual counts', async () => {
    expect((await playOften(file, late)).circuit).toBe('open');
  });
  test('because the pages are too large does not', async () => {
    expect((await playOften(file, large)).circuit).toBe('closed');
  });
});
