// The circuits of a provider, one for each account: an account whose calls fail is kept from the
// provider, and only failures of several accounts keep the others from it as well.
import { closedCircuit, isPassable, passCircuit, recordCall, windowMs } from './circuit.ts';
import type { CallResult, Circuit } from './circuit.ts';

export interface Circuits {
  /** By account. */
  own: Map<string, Circuit>;
  /** Of all accounts together. It is never probed: each account probes for itself. */
  shared: Circuit;
}

/** What one account counts in the shared circuit: half of the calls that can open it. */
export const mostOfOne = 10;
/** The circuits of more accounts are not kept; the first seen is forgotten first. */
export const maxAccounts = 1000;

export function closedCircuits(now: number): Circuits {
  return { own: new Map(), shared: closedCircuit(now) };
}

/** Whether a call of this account would be let through at this moment. */
export function isPassableFor({ own, shared }: Circuits, account: string, now: number): boolean {
  const circuit = own.get(account);
  if (circuit && circuit.state !== 'closed') return isPassable(circuit, now);
  return now >= shared.openUntil;
}

/** When the next call of this account is let through; in the past if it is already. */
export function openUntilFor({ own, shared }: Circuits, account: string): number {
  const circuit = own.get(account);
  return circuit && circuit.state !== 'closed' ? circuit.openUntil : shared.openUntil;
}

/** Call it when a call is let through; with an open circuit that call is a probe. */
export function passCall({ own }: Circuits, account: string, now: number): void {
  const circuit = own.get(account);
  if (circuit && circuit.state !== 'closed') own.set(account, passCircuit(circuit, now));
}

export function recordResult(
  circuits: Circuits,
  account: string,
  result: CallResult,
  now: number,
): void {
  const before = circuits.own.get(account);
  const after = recordCall(before ?? closedCircuit(now), result, now);
  if (after === before) return;
  keep(circuits, account, after);
  const counts = (before?.state ?? 'closed') === 'closed' && after.now.calls <= mostOfOne;
  if (counts) recordShared(circuits, result, now);
}

function keep({ own }: Circuits, account: string, circuit: Circuit): void {
  const [first] = own.keys();
  if (own.size >= maxAccounts && first !== undefined && !own.has(account)) own.delete(first);
  own.set(account, circuit);
}

function recordShared(circuits: Circuits, result: CallResult, now: number): void {
  const { own, shared } = circuits;
  if (now < shared.openUntil) return;
  const before = shared.state === 'closed' ? shared : closedCircuit(now);
  const after = recordCall(before, result, now);
  if (after.state === 'open' && !areSeveralFailing(circuits, now)) return;
  circuits.shared = after;
  if (after.state === 'closed') return;
  for (const [account, circuit] of own) {
    if (circuit.state !== 'closed') continue;
    own.set(account, { ...circuit, state: 'open', openUntil: after.openUntil });
  }
}

/** At least two accounts of which most calls failed lately. */
function areSeveralFailing({ own }: Circuits, now: number): boolean {
  let failing = 0;
  for (const circuit of own.values()) {
    const { calls, failures } = latest(circuit, now);
    if (calls > 0 && 2 * failures >= calls) failing += 1;
    if (failing > 1) return true;
  }
  return false;
}

function latest({ windowFrom, now: current, before }: Circuit, now: number) {
  if (now - windowFrom >= 2 * windowMs) return { calls: 0, failures: 0 };
  return {
    calls: current.calls + before.calls,
    failures: current.failures + before.failures,
  };
}

/** For people: open while an account is kept from the provider and no other one succeeds. */
export function shownCircuit({ own, shared }: Circuits, now: number): Circuit {
  if (now < shared.openUntil) return shared;
  const open = [...own.values()].filter(({ state }) => state !== 'closed');
  const [first] = open.toSorted((one, other) => one.openUntil - other.openUntil);
  if (!first) return closedCircuit(now);
  const opened = Math.max(...open.map(({ openUntil, openMs }) => openUntil - openMs));
  const succeeds = ({ state, windowFrom, now: current, before }: Circuit) =>
    state === 'closed' &&
    windowFrom > opened - 2 * windowMs &&
    current.calls + before.calls > current.failures + before.failures;
  return own.values().some(succeeds) ? closedCircuit(now) : first;
}
