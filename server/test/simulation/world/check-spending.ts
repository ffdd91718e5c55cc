// What the checker says about money that is at risk: it is there before it is spent, it is held while a
// vendor works for it, and what a vendor served is paid for.
import type { Try, Operation } from './callers/caller.ts';
import { costOf } from './engines.ts';
import {
  callsOf,
  isStatus,
  isSummed,
  isChargeOf,
  isTimely,
  mayBeLost,
  takenForDead,
  timeOf,
  operationIn,
} from './evidence.ts';
import type { Evidence, Line } from './evidence.ts';
import { isTouched } from './incidents.ts';
import type { EngineCall } from './outside.ts';

/** An operation that engines were asked for, and what they saw of it. */
interface Asked {
  operation: Operation;
  calls: EngineCall[];
  charges: Line[];
}

export function checkSpending(evidence: Evidence, lines: readonly Line[]): string[] {
  return [
    ...checkPrepaid(evidence, lines),
    ...checkCalls(evidence, lines),
    ...checkHeld(evidence, askedIn(evidence, lines)),
  ];
}

/** What engines served is charged, and they serve one request under a key at a time. */
export function checkCalls(evidence: Evidence, lines: readonly Line[]): string[] {
  const asked = askedIn(evidence, lines);
  return [
    ...asked.flatMap((one) => checkServed(evidence, one)),
    ...asked.flatMap((one) => checkOverlap(evidence, one)),
  ];
}

function askedIn(evidence: Evidence, lines: readonly Line[]): Asked[] {
  const wanted = evidence.operations.filter(
    (operation) =>
      (operation.kind === 'search' || operation.kind === 'extract') &&
      !mayBeLost(evidence, operation),
  );
  return wanted.map((operation) => {
    return {
      operation,
      calls: callsOf(evidence, operation),
      charges: lines.filter((line) => isChargeOf(evidence, operation, line)),
    };
  });
}

/** The balance never falls below zero, unless a vendor reports more than its documented price. */
function checkPrepaid(evidence: Evidence, lines: readonly Line[]): string[] {
  return evidence.tenants.flatMap(({ accountId }, at) => {
    let sum = 0;
    let lowest = 0;
    for (const line of lines) {
      if (line.accountId !== accountId) continue;
      sum += line.amount + uncoveredBy(evidence, line);
      lowest = Math.min(lowest, sum);
    }
    return lowest < 0 ? [`account ${at} spent ${-lowest} that it did not have`] : [];
  });
}

/** What of a charge no hold had to cover. */
export function uncoveredBy(evidence: Evidence, { kind, amount, asked, held }: Line): number {
  if (kind !== 'settle') return 0;
  const operation =
    operationIn(evidence, asked) ??
    evidence.operations.find(({ upload }) => upload && asked.includes(upload.id));
  const calls = evidence.outside.engineCalls.filter(({ subject }) => asked.includes(subject));
  const times = operation
    ? [timeOf(operation)]
    : calls.map(({ at, endedAt }) => ({ from: at, to: endedAt }));
  const isUntimely = times.some(({ from, to }) => !isTimely(evidence, from, to + unseenMs));
  if (isUntimely || times.length === 0) return -amount;
  const isReported =
    (operation && isSummed(operation)) || calls.some(({ owed }) => owed === -amount);
  return isReported ? Math.max(0, -amount - (held ?? 0)) : 0;
}

/** So long a request may run whose caller is gone. */
const unseenMs = 60_000;

/** After these the gateway may have lost an answer for which nothing was charged yet. */
export const costExcuses = ['full_disk', 'busy_disk', 'fault_points'] as const;
/** So long after an answer its settlement may still wait for a slow disk. */
export const settleMs = 120_000;

/** What an engine served to a gateway that lived on is charged for, each time. */
function checkServed(evidence: Evidence, { operation, calls, charges }: Asked): string[] {
  const { endedAt } = evidence;
  const { from, to } = timeOf(operation);
  if (isTouched(evidence, costExcuses, from, to + settleMs)) return [];
  // Who leaves without a key wants no answer.
  const isGivenUp = operation.tries.some(({ answer }) => answer?.kind === 'given up');
  if (operation.key === undefined && isGivenUp) return [];
  const served = calls.filter(
    (call) =>
      call.isServed &&
      call.isDelivered &&
      call.gatewayEndedAt > call.endedAt + settleMs &&
      endedAt > call.endedAt + settleMs,
  );
  const due = isSummed(operation) ? Math.min(served.length, 1) : served.length;
  if (due <= charges.length) return [];
  const times = served.map((call) => call.endedAt.toFixed(0)).join(', ');
  return [
    `${operation.id}: served ${served.length} times (${times}), charged ${charges.length} times`,
  ];
}

/** Under one key there is one request at a time, so no two calls are under way together. */
function checkOverlap(evidence: Evidence, { operation, calls }: Asked): string[] {
  if (operation.key === undefined || isSummed(operation)) return [];
  const inOrder = calls.toSorted((one, other) => one.at - other.at);
  return inOrder.flatMap((call, at) => {
    const before = inOrder[at - 1];
    if (!before || before.endedAt <= call.at) return [];
    const { from } = timeOf(operation);
    if (!isTimely(evidence, from, call.at)) return [];
    // Others free the key of a gateway that they take for dead, whose call is still under way.
    if (evidence.plan.isShared && isTouched(evidence, takenForDead, from, call.at)) return [];
    return [`${operation.id}: two calls under one key at ${call.at.toFixed(0)}`];
  });
}

/** A time in which the price of an operation is held. */
interface Span {
  id: string;
  account: number;
  held: number;
  from: number;
  to: number;
}

/** Of a request in progress whose engine is not called yet, this long after it began. */
const marginMs = 1000;

/** While a request waits for an engine, or the engine works, its price is held. */
function checkHeld(evidence: Evidence, asked: readonly Asked[]): string[] {
  const { operations, plan } = evidence;
  const faults: string[] = [];
  /** What is held for a request of this kind to this provider, as far as it is known. */
  const known = new Map<string, number>();
  const kindOf = ({ kind, provider = 'engine_a', pages = 1 }: Operation) =>
    `${kind} ${provider} ${pages}`;
  for (const { operation, charges } of asked) {
    const held = charges[0]?.held ?? null;
    if (held !== null) known.set(kindOf(operation), held);
  }
  const open = asked.flatMap(({ operation, calls }): Span[] => {
    const { id, account } = operation;
    const usual = operation.provider === undefined ? costOf(operation) : undefined;
    const held = known.get(kindOf(operation)) ?? usual;
    if (held === undefined) return [];
    return [
      ...calls.map((call) => ({ id, account, held, from: call.at, to: call.endedAt })),
      // Nothing fails in an overload, so what takes long is in progress.
      ...(plan.scene === 'overload' ? timesInProgress(operation) : []).map((times) => ({
        ...{ id, account, held },
        ...times,
      })),
    ];
  });
  for (const operation of operations) {
    if (operation.kind !== 'balance') continue;
    for (const one of operation.tries) {
      const read = heldOf(one);
      if (read === undefined) continue;
      if (operation.caller === 'returning' && read > 0)
        faults.push(`after an idle time ${read} are held`);
      const during = open.filter(
        ({ account, from, to }) =>
          account === operation.account && from <= one.calledAt && to >= one.returnedAt,
      );
      const needed = new Map(during.map(({ id, held }) => [id, held]));
      const sum = [...needed.values()].reduce((total, held) => total + held, 0);
      const began = Math.min(...during.map(({ from }) => from));
      if (read >= sum || !isTimely(evidence, began - marginMs, one.returnedAt)) continue;
      const ids = [...needed.keys()].join(', ');
      faults.push(`${operation.id} saw ${read} held for requests in progress of ${sum}: ${ids}`);
    }
  }
  return faults;
}

/** From a try until its answer, or until another one is told that it is still running. */
function timesInProgress({ tries }: Operation): { from: number; to: number }[] {
  let startedAt = Infinity;
  return tries.flatMap(({ calledAt, returnedAt, answer }) => {
    const isTaken = isStatus(answer, 409, 409);
    if (!isTaken) startedAt = calledAt;
    const to = isTaken ? calledAt : answer?.kind === 'answer' ? returnedAt - marginMs : calledAt;
    return to > startedAt + marginMs ? { from: startedAt + marginMs, to } : [];
  });
}

function heldOf({ answer }: Try): number | undefined {
  if (answer?.kind !== 'answer' || answer.status !== 200) return undefined;
  return Math.round(Number(answer.body['held_usd']) * 1_000_000);
}
