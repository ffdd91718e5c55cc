// Whether a history of entries on one register has an order that explains all of its results, each
// at one moment between its call and its return. The search of Wing and Gong, with a memory of the
// places that led nowhere.

export interface HistoryEntry<State> {
  /** For the story of a failure. */
  name: string;
  calledAt: number;
  /** Infinity for one whose result no one saw. */
  returnedAt: number;
  /** It may have happened or not, because no one saw its result. */
  isOptional?: boolean;
  /** It changes nothing, so as soon as its result fits it may come next. */
  isRead?: boolean;
  /** The state after it; undefined if its result cannot come from this state. */
  apply: (state: State) => State | undefined;
}

export type Verdict = 'linearizable' | 'impossible' | 'undecided';

/** Beyond this many steps a history counts as undecided. */
const maxSteps = 200_000;

/** `keyOf` tells states apart. */
export function checkHistory<State>(
  initial: State,
  history: readonly HistoryEntry<State>[],
  keyOf: (state: State) => string,
  stepLimit = maxSteps,
): Verdict {
  const entries = [...history].sort((one, other) => one.calledAt - other.calledAt);
  const done = new Array<boolean>(entries.length).fill(false);
  const leads = new Set<string>();
  let steps = 0;
  /** The first that is not done: all before it are. */
  const search = (state: State, first: number): boolean => {
    steps += 1;
    if (steps > stepLimit) return false;
    let from = first;
    while (done[from]) from += 1;
    const open = openFrom(entries, done, from);
    if (open.every(({ isOptional }) => isOptional) && isEnd(entries, done, from)) return true;
    const key = `${from}:${open.map((one) => (one.isOptional ? 'o' : '') + one.at).join()}:${keyOf(state)}`;
    if (leads.has(key)) return false;
    leads.add(key);
    // What must have happened by then goes first; what no one saw is tried last.
    const inOrder = open.toSorted((one, other) => one.returnedAt - other.returnedAt);
    const fitting = inOrder.find(
      ({ at }) => entries[at]?.isRead && entries[at]?.apply(state) !== undefined,
    );
    for (const { at } of fitting ? [fitting] : inOrder) {
      const next = entries[at]?.apply(state);
      if (next === undefined) continue;
      done[at] = true;
      if (search(next, from)) return true;
      done[at] = false;
    }
    return false;
  };
  if (search(initial, 0)) return 'linearizable';
  return steps > stepLimit ? 'undecided' : 'impossible';
}

/** Those that may come next: no other one has returned before they were called. */
function openFrom<State>(
  entries: readonly HistoryEntry<State>[],
  done: readonly boolean[],
  from: number,
) {
  const open: { at: number; returnedAt: number; isOptional: boolean }[] = [];
  let earliest = Infinity;
  for (let at = from; at < entries.length; at += 1) {
    const one = entries[at];
    if (!one || one.calledAt > earliest) break;
    if (done[at]) continue;
    open.push({ at, returnedAt: one.returnedAt, isOptional: one.isOptional === true });
    earliest = Math.min(earliest, one.returnedAt);
  }
  return open.filter(({ at }) => (entries[at]?.calledAt ?? 0) <= earliest);
}

function isEnd<State>(
  entries: readonly HistoryEntry<State>[],
  done: readonly boolean[],
  from: number,
): boolean {
  for (let at = from; at < entries.length; at += 1) {
    if (!done[at] && entries[at]?.isOptional !== true) return false;
  }
  return true;
}
