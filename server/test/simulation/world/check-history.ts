// Whether the balances that callers read, the requests that were declined for want of money, and the
// holds, charges and payments between them have an order.
import { type Operation, subjectOf, type Try } from './callers/caller.ts';
import { costOf } from './engines.ts';
import { callsOf, type Evidence, isMovement, isStatus, isTimely, type Line } from './evidence.ts';
import { isTouched } from './incidents.ts';
import { checkHistory, type HistoryEntry } from './linearizable.ts';
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
  entries: HistoryEntry<Money>[];
  maybe: Maybe[];
}

/** No hold lasts longer, except that of a job. */
const longestHoldMs = 900_000;
/** More than any request here holds. */
const largestHold = 100_000;

export function checkBalances(evidence: Evidence, at: number, lines: readonly Line[]): string[] {
  const { operations, tenants, plan, count } = evidence;
  const accountId = tenants[at]?.accountId ?? '';
  const own = lines.filter((line) => line.accountId === accountId && line.reason !== 'opening');
  const history: History = { entries: [], maybe: [] };
  const claimed = new Set<Line>();
  const ofAccount = operations.filter(({ account }) => account === at);
  for (const operation of ofAccount) {
    const found = own.filter((line) => !claimed.has(line) && isOf(operation, line));
    for (const line of found) claimed.add(line);
    addOperation(history, evidence, operation, found);
  }
  // What no operation claims may have happened at any time.
  for (const line of own) {
    if (!claimed.has(line)) move(history, `${line.kind} ${line.amount}`, line.amount, 0, Infinity);
  }
  for (const operation of ofAccount) {
    for (const one of operation.tries) addRead(history, operation, one, plan.isShared);
  }
  const opening = { posted: plan.opening[at] ?? 0, held: 0 };
  const keyOf = ({ posted, held }: Money) => `${posted} ${held}`;
  const verdict = checkHistory(opening, history.entries, keyOf);
  if (verdict === 'undecided') count('history undecided');
  if (verdict !== 'impossible') return [];
  return [`the balances of account ${at} have no order: ${storyOf(history.entries)}`];
}

function isOf(operation: Operation, line: Line): boolean {
  if (isMovement(operation)) return line.reason === operation.id;
  return line.kind === 'settle' && line.asked.includes(subjectOf(operation));
}

/** What an operation does to the account: holds, ends of holds, charges and payments. */
function addOperation(
  history: History,
  evidence: Evidence,
  operation: Operation,
  lines: readonly Line[],
): void {
  const calledAt = operation.tries[0]?.calledAt ?? 0;
  const end =
    operation.tries.find(({ answer }) => isStatus(answer, 200, 201))?.returnedAt ?? Infinity;
  const exact = exactHold(evidence, operation, lines);
  for (const line of lines) {
    const from = exact?.endsAfter ?? calledAt;
    move(history, `${operation.id} ${line.kind} ${line.amount}`, line.amount, from, end);
  }
  const { kind } = operation;
  if (isMovement(operation) || kind === 'balance' || kind === 'change' || kind === 'upload') return;
  if (exact) {
    const { amount, heldBy, endsAfter, endsBy } = exact;
    hold(history, `${operation.id} holds ${amount}`, amount, calledAt, heldBy);
    hold(history, `${operation.id} frees ${amount}`, -amount, endsAfter, endsBy);
    return;
  }
  const isJob = operation.kind === 'transcribe';
  for (const one of operation.tries) {
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
function exactHold(
  evidence: Evidence,
  operation: Operation,
  lines: readonly Line[],
): ExactHold | undefined {
  const [one, another] = operation.tries;
  if (operation.kind !== 'search' && operation.kind !== 'extract') return undefined;
  if (!one || another || one.answer?.kind !== 'answer') return undefined;
  if (!isTimely(evidence, one.calledAt, one.returnedAt)) return undefined;
  const calls = callsOf(evidence, operation);
  const isInOrder = isOrderly(evidence, one);
  const [first, last] = [calls[0], calls.at(-1)] as [EngineCall?, EngineCall?];
  if (!first || !last) return undefined;
  const [line, second] = lines;
  if (second || (!line && (!isInOrder || operation.provider !== undefined))) return undefined;
  const amount = line ? line.held : costOf(operation);
  if (amount === null) return undefined;
  const endsBy = line || isInOrder ? one.returnedAt : Infinity;
  return { amount, heldBy: first.at, endsAfter: Math.min(last.endedAt, endsBy), endsBy };
}

function move(history: History, name: string, amount: number, from: number, to: number): void {
  const apply = ({ posted, held }: Money) => ({ posted: posted + amount, held });
  history.entries.push({ name, calledAt: from, returnedAt: to, apply });
}

function hold(history: History, name: string, amount: number, from: number, to: number): void {
  const apply = ({ posted, held }: Money) => ({ posted, held: held + amount });
  history.entries.push({ name, calledAt: from, returnedAt: to, apply });
}

/** A balance that was read, or that was stated when a request was declined. */
function addRead(
  { entries, maybe }: History,
  operation: Operation,
  one: Try,
  isShared: boolean,
): void {
  const seen = readOf(operation, one);
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
  const name = `${operation.id} sees ${seen.available} of ${seen.posted ?? 'what is there'}`;
  const apply = (state: Money) => (isSeen(state) ? state : undefined);
  entries.push({ name, calledAt, returnedAt, isRead: true, apply });
}

interface Seen {
  available: number;
  /** With what is held; a request that was declined is not told. */
  posted?: number;
}

function readOf({ kind }: Operation, { answer }: Try): Seen | undefined {
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

function storyOf(history: readonly HistoryEntry<Money>[]): string {
  return history
    .toSorted((one, other) => one.calledAt - other.calledAt)
    .map(
      ({ name, calledAt, returnedAt }) =>
        `[${calledAt.toFixed(1)}, ${returnedAt.toFixed(1)}] ${name}`,
    )
    .join('; ');
}
