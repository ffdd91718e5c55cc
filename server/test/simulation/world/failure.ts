// What is told about a seed that failed: the shortest run that still breaks the same rule, its story,
// and the command that repeats it.
import { allFaultKinds, type Cuts, type FaultKind } from './plan.ts';
import type { Run } from './simulate.ts';

export type Play = (cuts: Cuts) => Promise<Run>;

/** Two faults are the same when their words are, whatever the ids and amounts in them. */
export function ruleOf(fault: string): string {
  return fault
    .replaceAll(/\b(?:op\d+|job_[\w-]+|acct_\w+|req_\w+|-?\d+(?:\.\d+)?)\b/g, '…')
    .slice(0, 80);
}

/** Leaves out kinds of faults, callers and time while the same rule is broken. */
export async function shrink(failed: Run, play: Play): Promise<{ cuts: Cuts; run: Run }> {
  const rule = ruleOf(failed.faults[0] ?? '');
  const isSame = (run: Run) => run.faults.some((fault) => ruleOf(fault) === rule);
  let best: { cuts: Cuts; run: Run } = { cuts: {}, run: failed };
  const tryWith = async (more: Cuts) => {
    const cuts = { ...best.cuts, ...more };
    const run = await play(cuts);
    if (!isSame(run)) return false;
    best = { cuts, run };
    return true;
  };
  await tryWith({ idleMs: 0 });
  for (const kind of failed.plan.faults) {
    await tryWith({ without: [...(best.cuts.without ?? []), kind] });
  }
  for (let callers = failed.plan.callers.length - 1; callers > 0; callers -= 1) {
    if (!(await tryWith({ callers }))) break;
  }
  const shortestMs = 100;
  for (let ms = failed.plan.activeMs / 2; ms > shortestMs; ms /= 2) {
    if (!(await tryWith({ activeMs: Math.round(ms) }))) break;
  }
  // Between the shortest time that is enough and the longest that is not.
  let enoughMs = best.run.plan.activeMs;
  for (let stepMs = enoughMs / 4; stepMs > shortestMs; stepMs /= 2) {
    if (await tryWith({ activeMs: Math.round(enoughMs - stepMs) })) enoughMs -= stepMs;
  }
  return best;
}

const shownPerActor = 20;

/** Per actor the last events, in the order of time. */
export function storyOf({ story }: Pick<Run, 'story'>): string {
  const left = new Map<string, number>();
  const shown: string[] = [];
  for (const line of story.toReversed()) {
    const actor = line.slice(10, line.indexOf(':'));
    const count = left.get(actor) ?? 0;
    left.set(actor, count + 1);
    if (count < shownPerActor) shown.push(line);
  }
  return shown.toReversed().join('\n');
}

/** `others`: options that choose the world, and not the run. */
export function commandOf(seed: number, cuts: Cuts, others: readonly string[] = []): string {
  const words = [
    `npm run simulate -- --seed ${seed}`,
    ...others,
    ...(cuts.without?.length ? [`--without ${cuts.without.join(',')}`] : []),
    ...(cuts.callers === undefined ? [] : [`--callers ${cuts.callers}`]),
    ...(cuts.activeMs === undefined ? [] : [`--active-ms ${cuts.activeMs}`]),
    ...(cuts.idleMs === undefined ? [] : [`--idle-ms ${cuts.idleMs}`]),
  ];
  return words.join(' ');
}

export function describeFailure(
  { run, cuts }: { run: Run; cuts: Cuts },
  others: readonly string[] = [],
): string {
  const { seed, faults, plan } = run;
  return [
    `seed ${seed} breaks a rule:`,
    ...faults.map((fault) => `  ${fault}`),
    `faults that were possible: ${[...plan.faults].join(', ') || 'none'}`,
    storyOf(run),
    `repeat: ${commandOf(seed, cuts, others)}`,
  ].join('\n');
}

/** Reads what `commandOf` writes. */
export function readCuts(values: {
  without?: string | undefined;
  callers?: string | undefined;
  'active-ms'?: string | undefined;
  'idle-ms'?: string | undefined;
}): Cuts {
  const without = values.without?.split(',').filter((one): one is FaultKind => isKind(one));
  return {
    ...(without ? { without } : {}),
    ...(values.callers === undefined ? {} : { callers: Number(values.callers) }),
    ...(values['active-ms'] === undefined ? {} : { activeMs: Number(values['active-ms']) }),
    ...(values['idle-ms'] === undefined ? {} : { idleMs: Number(values['idle-ms']) }),
  };
}

function isKind(word: string): boolean {
  return allFaultKinds.some((kind) => kind === word);
}
