// Whether the balances that callers read, the requests that were declined for want of money, and the
// holds, charges and payments between them have an order.
import { subjectOf } from './callers/caller.ts';
import type { Try, Wish } from './callers/caller.ts';
import { costOf } from './engines.ts';
import { callsOf, isMovement, isStatus, isTimely } from './evidence.ts';
import type { Evidence, Line } from './evidence.ts';
import { isTouched } from './incidents.ts';
import { checkHistory } from './linearizable.ts';
import type { Operation } from './linearizable.ts';
import type { EngineCall } from './outside.ts';

/** An account as a reader sees it. */
interface Money {
  posted: number;
  held: number;
}

/** A hold of which only the longest time is known: a reader may see it or not. */
interface Maybe {
  amount: number;
  from: number;
  to: number;
}

interface History {
  operations: Operation<Money>[];
  maybe: Maybe[];
}

/** No hold lasts longer, except that of a job. */
const longestHoldMs = 900_000;
/** More than any request here holds. */
const largestHold = 100_000;

export function judgeHistory(evidence: Evidence, at: number, lines: readonly Line[]): string[] {
  const { wishes, tenants, plan, count } = evidence;
  const accountId = tenants[at]?.accountId ?? '';
  const own = lines.filter((line) => line.accountId === accountId && line.reason !== 'opening');
  const history: History = { operations: [], maybe: [] };
  const claimed = new Set<Line>();
  const ofAccount = wishes.filter(({ account }) => account === at);
  for (const wish of ofAccount) {
    const found = own.filter((line) => !claimed.has(line) && isOf(wish, line));
    for (const line of found) claimed.add(line);
    addWish(history, evidence, wish, found);
  }
  // What no wish claims may have happened at any time.
  for (const line of own) {
    if (!claimed.has(line)) move(history, `${line.kind} ${line.amount}`, line.amount, 0, Infinity);
  }
  for (const wish of ofAccount) {
    for (const one of wish.tries) addRead(history, wish, one, plan.isShared);
  }
  const opening = { posted: plan.opening[at] ?? 0, held: 0 };
  const keyOf = ({ posted, held }: Money) => `${posted} ${held}`;
  const verdict = checkHistory(opening, history.operations, keyOf);
  if (verdict === 'undecided') count('history undecided');
  if (verdict !== 'impossible') return [];
  return [`the balances of account ${at} have no order: ${storyOf(history.operations)}`];
}

function isOf(wish: Wish, line: Line): boolean {
  if (isMovement(wish)) return line.reason === wish.id;
  return line.kind === 'settle' && line.asked.includes(subjectOf(wish));
}

/** What a wish does to the account: holds, ends of holds, charges and payments. */
function addWish(history: History, evidence: Evidence, wish: Wish, lines: readonly Line[]): void {
  const calledAt = wish.tries[0]?.calledAt ?? 0;
  const end = wish.tries.find(({ answer }) => isStatus(answer, 200, 201))?.returnedAt ?? Infinity;
  const exact = exactHold(evidence, wish, lines);
  for (const line of lines) {
    const from = exact?.endsAfter ?? calledAt;
    move(history, `${wish.id} ${line.kind} ${line.amount}`, line.amount, from, end);
  }
  const { kind } = wish;
  if (isMovement(wish) || kind === 'balance' || kind === 'change' || kind === 'upload') return;
  if (exact) {
    const { amount, heldBy, endsAfter, endsBy } = exact;
    hold(history, `${wish.id} holds ${amount}`, amount, calledAt, heldBy);
    hold(history, `${wish.id} frees ${amount}`, -amount, endsAfter, endsBy);
    return;
  }
  const isJob = wish.kind === 'transcribe';
  for (const one of wish.tries) {
    if (isStatus(one.answer, 402, 402)) continue;
    const isOver = !isJob && one.answer?.kind === 'answer' && isOrderly(evidence, one);
    const to = isOver ? one.returnedAt : isJob ? Infinity : one.calledAt + longestHoldMs;
    history.maybe.push({ amount: largestHold, from: one.calledAt, to });
  }
}

/** Without these, a hold has ended when its request is answered. */
function isOrderly(evidence: Evidence, { calledAt, returnedAt }: Try): boolean {
  const late = ['full_disk', 'busy_disk', 'slow_disk', 'fault_points'] as const;
  return !isTouched(evidence, late, calledAt - longestSyncMs, returnedAt);
}

/** What was slow or full before may still delay what comes after it. */
const longestSyncMs = 15_000;

interface ExactHold {
  amount: number;
  /** It was held before an engine was called. */
  heldBy: number;
  endsAfter: number;
  endsBy: number;
}

/** The hold of a request that was sent once and answered; undefined where it is not known well. */
function exactHold(evidence: Evidence, wish: Wish, lines: readonly Line[]): ExactHold | undefined {
  const [one, another] = wish.tries;
  if (wish.kind !== 'search' && wish.kind !== 'extract') return undefined;
  if (!one || another || one.answer?.kind !== 'answer') return undefined;
  if (!isTimely(evidence, one.calledAt, one.returnedAt)) return undefined;
  const calls = callsOf(evidence, wish);
  const isInOrder = isOrderly(evidence, one);
  const [first, last] = [calls[0], calls.at(-1)] as [EngineCall?, EngineCall?];
  if (!first || !last) return undefined;
  const [line, second] = lines;
  if (second || (!line && (!isInOrder || wish.provider !== undefined))) return undefined;
  const amount = line ? line.held : costOf(wish);
  if (amount === null) return undefined;
  const endsBy = line || isInOrder ? one.returnedAt : Infinity;
  return { amount, heldBy: first.at, endsAfter: Math.min(last.endedAt, endsBy), endsBy };
}

function move(history: History, name: string, amount: number, from: number, to: number): void {
  const apply = ({ posted, held }: Money) => ({ posted: posted + amount, held });
  history.operations.push({ name, calledAt: from, returnedAt: to, apply });
}

function hold(history: History, name: string, amount: number, from: number, to: number): void {
  const apply = ({ posted, held }: Money) => ({ posted, held: held + amount });
  history.operations.push({ name, calledAt: from, returnedAt: to, apply });
}

/** A balance that was read, or that was stated when a request was declined. */
function addRead({ operations, maybe }: History, wish: Wish, one: Try, isShared: boolean): void {
  const seen = readOf(wish, one);
  // A gateway does not see what others hold in memory.
  if (!seen || (isShared && seen.posted === undefined)) return;
  const { calledAt, returnedAt } = one;
  const more = maybe
    .filter(({ from, to }) => from <= returnedAt && to >= calledAt)
    .reduce((sum, { amount }) => sum + amount, 0);
  const isSeen = (state: Money) => {
    if (seen.posted !== undefined && state.posted !== seen.posted) return false;
    if (isShared) return true;
    const held = state.posted - seen.available;
    return held >= state.held && held <= state.held + more;
  };
  const name = `${wish.id} sees ${seen.available} of ${seen.posted ?? 'what is there'}`;
  const apply = (state: Money) => (isSeen(state) ? state : undefined);
  operations.push({ name, calledAt, returnedAt, isRead: true, apply });
}

interface Seen {
  available: number;
  /** With what is held; a request that was declined is not told. */
  posted?: number;
}

function readOf({ kind }: Wish, { answer }: Try): Seen | undefined {
  if (answer?.kind !== 'answer') return undefined;
  if (kind === 'balance' && answer.status === 200) {
    const { balance_usd, held_usd } = answer.body as Record<string, number>;
    const available = microUsd(balance_usd);
    return { available, posted: available + microUsd(held_usd) };
  }
  if (answer.status !== 402) return undefined;
  const { error } = answer.body as { error?: { detail?: Record<string, number> } };
  const { balance_usd } = error?.detail ?? {};
  return balance_usd === undefined ? undefined : { available: microUsd(balance_usd) };
}

function microUsd(value: number | undefined): number {
  return Math.round(Number(value ?? 0) * 1_000_000);
}

function storyOf(history: readonly Operation<Money>[]): string {
  return history
    .toSorted((one, other) => one.calledAt - other.calledAt)
    .map(
      ({ name, calledAt, returnedAt }) =>
        `[${calledAt.toFixed(1)}, ${returnedAt.toFixed(1)}] ${name}`,
    )
    .join('; ');
}
