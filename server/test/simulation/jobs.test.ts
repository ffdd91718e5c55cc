// Thousands of lives of jobs under processes that die at every step: sent at most once, charged at
// most once, always ended.
import { expect, test } from 'bun:test';
import { prepareAccounts } from '../../src/services/first-start.ts';
import { migrate } from '../../src/store/migrate.ts';
import { noteMoves } from './audit.ts';
import { live } from './life.ts';
import { openInMemory } from './memory-database.ts';

/** `SEED=17` replays one life; `RUNS=20000` lives more of them. */
const one_seed = process.env['SEED'];
const runs = Number(process.env['RUNS'] ?? 1000);
const seeds =
  one_seed === undefined ? Array.from({ length: runs }, (_, at) => at + 1) : [Number(one_seed)];
test('no job is sent twice, charged twice or lost, wherever processes die', async () => {
  const database = openInMemory();
  await migrate(database, new Date(0));
  await prepareAccounts(database, undefined, new Date(0), 1_000_000);
  await noteMoves(database);
  const sums = new Map<string, number>();
  for (const seed of seeds) {
    const faults = await live(database, seed, sums).catch((error: unknown) => [String(error)]);
    if (faults.length > 0) throw new Error(`SEED=${seed}: ${faults.join('; ')}`);
  }
  await database.close();
  process.stdout.write(`${seeds.length} lives: ${JSON.stringify(Object.fromEntries(sums))}\n`);
  // The dice must have led everywhere, or nothing was shown.
  if (seeds.length > 100) expect(everywhere.filter((name) => !sums.has(name))).toEqual([]);
}, 900_000);

const everywhere = [
  ...['completed', 'provider_error', 'submission_unknown', 'result_lost', 'deaths'],
  ...['deadline_exceeded', 'always busy', 'never there', 'outage over the deadline'],
  ...['adapters fail to ask', 'adapters fail to read'],
  ...[
    'deaths at the door',
    'never',
    'early',
    'late',
    'too late',
    'last moment',
    'twice',
    'forged',
    'in time',
  ],
];
