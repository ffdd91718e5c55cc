// Hundreds of simulated runs with processes that crash at every step: each job is sent at
// most once, charged at most once, and always ends.
import { expect, test } from 'bun:test';
import { limitFor, workerRuns } from '../../../e2e/lengths.ts';
import { prepareAccounts } from '../../src/accounts/first-start.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { noteMoves } from './audit.ts';
import { simulate } from './run.ts';
import { openInMemory } from './memory-database.ts';

/** `SEED=17` repeats one run. */
const oneSeed = process.env['SEED'];
const { count, first } = workerRuns;
const seeds =
  oneSeed === undefined ? Array.from({ length: count }, (_, at) => first + at) : [Number(oneSeed)];
test(
  'no job is sent twice, charged twice or lost, wherever processes die',
  async () => {
    const database = openInMemory();
    await migrate(database, new Date(0));
    await prepareAccounts(database, undefined, new Date(0), 1_000_000);
    await noteMoves(database);
    const sums = new Map<string, number>();
    for (const seed of seeds) {
      const faults = await simulate(database, seed, sums).catch((error: unknown) => [
        String(error),
      ]);
      if (faults.length > 0) throw new Error(`SEED=${seed}: ${faults.join('; ')}`);
    }
    await database.close();
    process.stdout.write(`${seeds.length} runs: ${JSON.stringify(Object.fromEntries(sums))}\n`);
    // The seededRandom must have led everywhere, or nothing was shown.
    if (seeds.length > 100) expect(everywhere.filter((name) => !sums.has(name))).toEqual([]);
  },
  limitFor(900_000),
);

const everywhere = [
  ...['completed', 'provider_error', 'submission_unknown', 'result_lost', 'deaths'],
  ...['deadline_exceeded', 'always busy', 'never there', 'outage over the deadline'],
  ...['adapters fail to ask', 'adapters fail to read'],
  ...[
    'deaths while receiving a callback',
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
