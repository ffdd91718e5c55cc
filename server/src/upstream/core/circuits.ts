// The circuit breakers of a provider, one for each account: a circuit opens after many failures,
// then lets single probes through until they succeed. An account whose calls fail is blocked from
// the provider; other accounts are blocked only if the calls of several accounts fail.

type CircuitState = 'closed' | 'open' | 'half_open';

export interface Circuit {
  state: CircuitState;
  /** The current window and the previous one, so that a new window does not start empty. */
  windowFrom: number;
  now: Counters;
  before: Counters;
  /** When the open circuit lets its next probe through. */
  openUntil: number;
  /** How long it stays open. Doubled each time a probe fails. */
  openMs: number;
  /** When the current probe began. 0 if there is none. */
  probingSince: number;
  /** Successful probes since it opened. */
  healed: number;
}

interface Counters {
  calls: number;
  failures: number;
}

/**
 * `neither` does not count towards the provider's health, for example if the caller disconnected.
 */
export type CallResult = 'success' | 'failure' | 'neither';

export const windowMs = 10_000;
/** With fewer calls in the window, the circuit stays closed. */
export const leastCalls = 20;
const failureShare = 0.5;
export const firstOpenMs = 5_000;
export const longestOpenMs = 60_000;
export const probesToClose = 2;
/** After this time, a probe that never ended no longer blocks another one. */
export const longestProbeMs = 120_000;

const none: Counters = { calls: 0, failures: 0 };

export function closedCircuit(now: number): Circuit {
  return {
    state: 'closed',
    windowFrom: now,
    now: none,
    before: none,
    openUntil: 0,
    openMs: firstOpenMs,
    probingSince: 0,
    healed: 0,
  };
}

/** True if a call would be let through now. */
export function isPassable(circuit: Circuit, now: number): boolean {
  if (circuit.state === 'closed') return true;
  if (circuit.state === 'open') return now >= circuit.openUntil;
  return circuit.probingSince === 0 || now - circuit.probingSince > longestProbeMs;
}

/** Called when a call is let through. With an open circuit, that call is a probe. */
export function passCircuit(circuit: Circuit, now: number): Circuit {
  if (circuit.state === 'closed') return circuit;
  return { ...circuit, state: 'half_open', probingSince: now };
}

export function recordCall(circuit: Circuit, result: CallResult, now: number): Circuit {
  if (circuit.state === 'half_open') return recordProbe(circuit, result, now);
  if (circuit.state === 'open' || result === 'neither') return circuit;
  const rolled = rollWindow(circuit, now);
  const counters = {
    calls: rolled.now.calls + 1,
    failures: rolled.now.failures + (result === 'failure' ? 1 : 0),
  };
  const counted = { ...rolled, now: counters };
  return isFailing(counted) ? open(counted, now) : counted;
}

function recordProbe(circuit: Circuit, result: CallResult, now: number): Circuit {
  const idle = { ...circuit, probingSince: 0 };
  if (result === 'neither') return idle;
  if (result === 'failure') {
    const openMs = Math.min(circuit.openMs * 2, longestOpenMs);
    return open({ ...idle, openMs }, now);
  }
  const healed = circuit.healed + 1;
  return healed >= probesToClose ? closedCircuit(now) : { ...idle, healed };
}

function rollWindow(circuit: Circuit, now: number): Circuit {
  const age = now - circuit.windowFrom;
  if (age < windowMs) return circuit;
  return {
    ...circuit,
    windowFrom: now,
    now: none,
    before: age < 2 * windowMs ? circuit.now : none,
  };
}

function isFailing({ now, before }: Circuit): boolean {
  const calls = now.calls + before.calls;
  return calls >= leastCalls && (now.failures + before.failures) / calls >= failureShare;
}

function open(circuit: Circuit, now: number): Circuit {
  return { ...circuit, state: 'open', openUntil: now + circuit.openMs, healed: 0 };
}

export interface Circuits {
  /** By account. */
  own: Map<string, Circuit>;
  /** For all accounts together. It is never probed, because each account sends its own probes. */
  shared: Circuit;
}

/**
 * How many calls of one account count in the shared circuit: half of the calls that can open it.
 */
export const maxOfOne = 10;
/**
 * The circuits of at most this many accounts are kept. The first account seen is forgotten first.
 */
export const maxAccounts = 1000;

export function closedCircuits(now: number): Circuits {
  return { own: new Map(), shared: closedCircuit(now) };
}

/** True if a call of this account would be let through now. */
export function isPassableFor({ own, shared }: Circuits, account: string, now: number): boolean {
  const circuit = own.get(account);
  if (circuit && circuit.state !== 'closed') return isPassable(circuit, now);
  return now >= shared.openUntil;
}

/** When the next call of this account is let through. In the past if calls are let through now. */
export function openUntilFor({ own, shared }: Circuits, account: string): number {
  const circuit = own.get(account);
  return circuit && circuit.state !== 'closed' ? circuit.openUntil : shared.openUntil;
}

/** Called when a call is let through. With an open circuit, that call is a probe. */
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
  const counts = (before?.state ?? 'closed') === 'closed' && after.now.calls <= maxOfOne;
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

/** True if at least two accounts had mostly failed calls recently. */
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

/** For people: open while an account is blocked from the provider and no other account succeeds. */
export function reportedCircuit({ own, shared }: Circuits, now: number): Circuit {
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
