// When providers of a live gateway were simulated: their address was that of a sandbox, so that their
// results were invented although the account paid for them. It is a fact about the store, because the
// settings may be different by now, and the rows of that time stay what they are.
import { type Database, facts, type Filter, readJson, type Runner } from '../store/index.ts';
import { z } from 'zod';
import type { RequestRow } from './core/request-row.ts';
import { readDetail } from './request-detail.ts';

/** By provider, oldest first. The end of the last one is null while it lasts. */
export type SimulatedPeriods = z.infer<typeof Periods>;
const Periods = z.record(z.string(), z.array(z.tuple([z.number(), z.number().nullable()])));

const fact = 'simulated_providers';
/** Of a store in sandbox mode. */
const everyProvider = '*';
/** Of each provider; older ones are forgotten. */
const maxPeriods = 50;

/** Of a store in sandbox mode, every provider at any time. */
export async function readSimulated(on: Runner): Promise<SimulatedPeriods> {
  if ((await facts.find(on, 'mode')) === 'sandbox') return { [everyProvider]: [[0, null]] };
  return readPeriods(on);
}

async function readPeriods(on: Runner, lock = ''): Promise<SimulatedPeriods> {
  const text = (await facts.find(on, fact, lock)) ?? '{}';
  return readJson('the simulated providers', (value) => Periods.parse(value), text);
}

/** What a gateway has seen of a provider since it started. */
export async function noteSimulated(
  database: Database,
  { provider, isSimulated, since }: { provider: string; isSimulated: boolean; since: number },
): Promise<SimulatedPeriods> {
  return database.transaction(async (tx) => {
    await facts.insert(tx, fact, '{}');
    const before = await readPeriods(tx, tx.lock('for update'));
    const own = before[provider] ?? [];
    const last = own.at(-1);
    const open = last?.[1] === null ? last : undefined;
    if ((open !== undefined) === isSimulated) return before;
    const changed: typeof own = open
      ? [...own.slice(0, -1), [open[0], Math.max(open[0], since)]]
      : [...own, [since, null]];
    const after = { ...before, [provider]: changed.slice(-maxPeriods) };
    await facts.put(tx, fact, JSON.stringify(after));
    return after;
  });
}

/** Whether one of the providers was simulated at that time. */
export function wasSimulated(
  periods: SimulatedPeriods,
  ids: readonly (string | null)[],
  at: number,
): boolean {
  const known = ids.filter((id) => id !== null);
  return [...known, ...(known.length > 0 ? [everyProvider] : [])].some((id) =>
    Object.hasOwn(periods, id)
      ? periods[id]?.some(([from, until]) => at >= from && at < (until ?? Infinity))
      : false,
  );
}

/** Of a row of the log: the providers that answered or, if none did, those that were called. */
export function isSimulatedRow(
  periods: SimulatedPeriods,
  { provider, detail, created_at }: Pick<RequestRow, 'provider' | 'detail' | 'created_at'>,
): boolean {
  if (Object.keys(periods).length === 0) return false;
  const { attempts } = readDetail(detail ?? null);
  const answered = attempts.filter(({ outcome }) => outcome === 'answered');
  const ids = answered.length > 0 ? answered : [...attempts, { provider }];
  return wasSimulated(
    periods,
    ids.map((one) => one.provider),
    created_at,
  );
}

/** The same decision in SQL. */
export function simulatedFilter(wanted: 'true' | 'false', periods: SimulatedPeriods): Filter {
  if (periods[everyProvider]) {
    return { text: `provider is ${wanted === 'true' ? 'not ' : ''}null`, values: [] };
  }
  const all = Object.entries(periods).flatMap(([id, own]) =>
    own.map((one) => [id, ...one] as const),
  );
  const texts = "coalesce(detail, '')";
  const inPeriod = `created_at >= ? and created_at < ? and (${texts} like ?
    or ${texts} not like '%","answered"%' and (${texts} like ? or coalesce(provider, '') = ?))`;
  const text = all.length === 0 ? '1 = 0' : all.map(() => `(${inPeriod})`).join(' or ');
  return {
    text: wanted === 'true' ? `(${text})` : `not (${text})`,
    values: all.flatMap(([id, from, until]) => {
      return [from, until ?? farFuture, `%["${id}","answered"%`, `%["${id}","%`, id];
    }),
  };
}

const farFuture = Number.MAX_SAFE_INTEGER;
