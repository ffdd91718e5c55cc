// Which faults happened in which states of the store. Seeds that reach a new pair are kept in
// `kept-seeds.json`, and run first.
import type { Row } from '../../../src/store/database.ts';
import kept from './kept-seeds.json' with { type: 'json' };
import type { FaultKind, Plan } from './plan.ts';

/** Of one gateway, and of several that share a store. */
export const keptSeeds: Readonly<Record<'alone' | 'shared', readonly number[]>> = kept;

/** Others happen too often, or change nothing at the moment at which they happen. */
const noted: ReadonlySet<FaultKind> = new Set<FaultKind>([
  ...(['kill', 'power_loss', 'stop', 'freeze', 'clock_jump', 'at_commit'] as const),
  ...(['fault_points', 'group_fails'] as const),
  ...(['targeted', 'hanging_server', 'server_restart', 'failover', 'lossy_failover'] as const),
]);

/** One row for each thing that is under way. */
const stateOf = `
  select 'hold' as state from holds where id not like 'job:%'
  union select 'key' from idempotency where state = 'running' and expires_at > 0
  union select 'journal' from deferred
  union select 'allowance' from allowances
  union select 'job ' || attempt_status from jobs where finished_at is null
  union select 'callback' from callbacks
  union select 'delivery' from deliveries where state = 'pending'
  union select 'upload' from uploads`;

/** What happened in which state, as words. */
export function pairsOf(
  kind: FaultKind,
  point: string | undefined,
  read: (text: string) => Row[] | undefined,
  isJournaled: boolean,
): string[] {
  if (!noted.has(kind)) return [kind];
  const rows = read(isJournaled ? `${stateOf} union select 'journal'` : stateOf);
  const states = (rows ?? []).map(({ state }) => String(state));
  const fault = point === undefined ? kind : `${kind} ${point}`;
  return [fault, ...states.map((state) => `${fault} / ${state}`)];
}

/** What a run had in it, whatever went wrong. */
export function partsOf({ callers, scene, idleMs, hasShadows }: Plan): string[] {
  const [quiet, shadows] = [idleMs > 0 ? 'idle' : 'never idle', hasShadows ? 'shadows' : 'none'];
  return [...callers, scene, quiet, shadows].map((part) => `with ${part}`);
}

/** What each run costs before its callers come. */
const startSteps = 2000;

/** The runs of the fewest steps, found one by one, that reach everything that all reach together. */
export function chooseSeeds(
  runs: readonly { seed: number; steps: number; pairs: ReadonlySet<string> }[],
  most: number,
): { seeds: number[]; reached: number; all: number } {
  const left = new Set(runs.flatMap(({ pairs }) => [...pairs]));
  const all = left.size;
  const seeds: number[] = [];
  while (left.size > 0 && seeds.length < most) {
    const gain = ({ pairs, steps }: (typeof runs)[number]) =>
      [...pairs].filter((one) => left.has(one)).length / (startSteps + steps);
    const best = runs.toSorted((one, other) => gain(other) - gain(one))[0];
    if (!best) break;
    seeds.push(best.seed);
    for (const pair of best.pairs) left.delete(pair);
  }
  return { seeds: seeds.toSorted((one, other) => one - other), reached: all - left.size, all };
}
