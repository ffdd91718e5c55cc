// The circuit breakers of a provider, one for each account: a circuit opens when most calls fail,
// and then lets a few probes through in each pause, until one succeeds. An account whose calls fail
// is blocked from the provider; others are blocked only if the calls of several accounts fail.
import { backoff } from '../../platform/backoff.ts';
import { type BoundedMap, boundedMap } from '../../platform/bounded-map.ts';

export interface Circuit {
  isOpen: boolean;
  /** When it closed or, if it is open, from when probes count. Earlier calls do not count. */
  since: number;
  /** The current window and the previous one, so that a new window does not start empty. */
  windowFrom: number;
  now: Counters;
  before: Counters;
  /** When the open circuit lets the next probes through, and how many it lets through until then. */
  retryAt: number;
  probes: number;
  /** Since it opened. The next ones end a pause whether or not the probes before it have ended. */
  pauses: number;
}

interface Counters {
  calls: number;
  failures: number;
}

/**
 * `neither` does not count towards the provider's health, for example if the caller disconnected.
 */
export type CallResult = 'success' | 'failure' | 'neither';

/** A window ends after this time, or after `leastCalls`. */
export const windowMs = 10_000;
/** With fewer calls in both windows, the circuit stays closed. */
export const leastCalls = 20;
/** If 30 % of the calls fail at random, that opens a circuit once in thousands of calls. */
const failureShare = 0.6;
export const firstPauseMs = 1000;
export const longestPauseMs = 10_000;
const pauseAfter = backoff(firstPauseMs, 2, longestPauseMs);
export const probesPerPause = 3;

const none: Counters = { calls: 0, failures: 0 };

export function closedCircuit(now: number): Circuit {
  const window = { windowFrom: now, now: none, before: none };
  return { isOpen: false, since: now, ...window, retryAt: now, probes: 0, pauses: 0 };
}

/** True if a call would be let through now. */
export function isPassable({ isOpen, probes, retryAt }: Circuit, now: number): boolean {
  return !isOpen || probes > 0 || now >= retryAt;
}

/** Called when a call is let through. With an open circuit, that call is a probe. */
export function passCircuit(circuit: Circuit, now: number): Circuit {
  const { isOpen, retryAt, probes } = circuit;
  if (!isOpen) return circuit;
  if (now < retryAt) return { ...circuit, probes: probes - 1 };
  const pauses = circuit.pauses + 1;
  return { ...circuit, probes: probesPerPause - 1, retryAt: now + pauseAfter(pauses), pauses };
}

/** `began`: when the call was let through. */
export function recordCall(
  circuit: Circuit,
  result: CallResult,
  began: number,
  now: number,
): Circuit {
  if (result === 'neither' || began < circuit.since) return circuit;
  if (circuit.isOpen && result === 'failure') return circuit;
  const rolled = circuit.isOpen ? closedCircuit(now) : rollWindow(circuit, now);
  const { calls, failures } = rolled.now;
  const counters = { calls: calls + 1, failures: failures + (result === 'failure' ? 1 : 0) };
  const counted = { ...rolled, now: counters };
  return isFailing(recentCalls(counted, now)) ? open(counted, now) : counted;
}

function rollWindow(circuit: Circuit, now: number): Circuit {
  const age = now - circuit.windowFrom;
  if (age < windowMs && circuit.now.calls < leastCalls) return circuit;
  return {
    ...circuit,
    windowFrom: now,
    now: none,
    before: age < 2 * windowMs ? circuit.now : none,
  };
}

function isFailing({ calls, failures }: Counters): boolean {
  return calls >= leastCalls && areMostFailures({ calls, failures });
}

function areMostFailures({ calls, failures }: Counters): boolean {
  return calls > 0 && failures >= failureShare * calls;
}

function recentCalls({ windowFrom, now: current, before }: Circuit, now: number): Counters {
  if (now - windowFrom >= 2 * windowMs) return none;
  return {
    calls: current.calls + before.calls,
    failures: current.failures + before.failures,
  };
}

function open(circuit: Circuit, now: number): Circuit {
  const retryAt = now + firstPauseMs;
  return { ...circuit, isOpen: true, since: retryAt, retryAt, probes: 0, pauses: 1 };
}

/** Undefined for the gateway's own calls, which have a circuit of their own. */
export type Account = string | undefined;

export interface Circuits {
  /** By account. */
  own: BoundedMap<Account, Circuit>;
  /** Open from when the calls of several accounts fail until a call of any account succeeds. */
  shared: Circuit;
}

/** How many calls of one account can open the shared circuit: half of those that are necessary. */
export const maxOfOne = 10;
/** The circuits of at most this many accounts are kept. */
export const maxAccounts = 1000;

export function closedCircuits(now: number): Circuits {
  return { own: boundedMap({ limit: maxAccounts }), shared: closedCircuit(now) };
}

/**
 * The circuit that an account's calls pass: its own one, or a copy of the shared one while that is
 * open and the account has not closed it for itself. Each account sends its own probes, so one whose
 * calls always fail does not block others.
 */
function circuitOf({ own, shared }: Circuits, account: Account): Circuit {
  const circuit = own.get(account);
  const isOwn = circuit && (circuit.isOpen || !shared.isOpen || circuit.since >= shared.since);
  return isOwn ? circuit : shared;
}

/** True if a call of this account would be let through now. */
export function isPassableFor(circuits: Circuits, account: Account, now: number): boolean {
  return isPassable(circuitOf(circuits, account), now);
}

/** When the next call of this account is let through. In the past if calls are let through now. */
export function openUntilFor(circuits: Circuits, account: Account): number {
  return circuitOf(circuits, account).retryAt;
}

/** Called when a call is let through. With an open circuit, that call is a probe. */
export function passCall(circuits: Circuits, account: Account, now: number): void {
  const circuit = circuitOf(circuits, account);
  if (circuit.isOpen) circuits.own.put(account, passCircuit(circuit, now));
}

export function recordResult(
  circuits: Circuits,
  account: Account,
  result: CallResult,
  began: number,
  now: number,
): void {
  const before = circuitOf(circuits, account);
  const after = recordCall(before, result, began, now);
  if (after === before) return;
  circuits.own.put(account, after);
  if (result === 'success') {
    if (circuits.shared.isOpen) circuits.shared = closedCircuit(now);
  } else if (areSeveralFailing(circuits, after, now)) circuits.shared = open(circuits.shared, now);
}

/** True if most calls of this account and of all accounts together failed recently. */
function areSeveralFailing({ own }: Circuits, latest: Circuit, now: number): boolean {
  if (!areMostFailures(recentCalls(latest, now))) return false;
  let accounts = 0;
  const all = { calls: 0, failures: 0 };
  for (const circuit of own.values()) {
    const { calls, failures } = recentCalls(circuit, now);
    const counted = Math.min(1, maxOfOne / calls);
    if (calls > 0) all.calls += calls * counted;
    if (calls > 0) all.failures += failures * counted;
    if (areMostFailures({ calls, failures })) accounts += 1;
  }
  return accounts > 1 && isFailing(all);
}

/** For people: open while an account is blocked from the provider and no other account succeeds. */
export function reportedCircuit({ own, shared }: Circuits): {
  state: 'closed' | 'open' | 'half_open';
  retryAt: number;
} {
  const open = [...own.values()].filter(({ isOpen }) => isOpen);
  if (shared.isOpen && open.length === 0) open.push(shared);
  const [first] = open.toSorted((one, other) => one.retryAt - other.retryAt);
  if (!first) return { state: 'closed', retryAt: 0 };
  const opened = Math.max(...open.map(({ since }) => since));
  const succeeds = (circuit: Circuit) => {
    const { calls, failures } = recentCalls(circuit, opened);
    return !circuit.isOpen && calls > failures;
  };
  const isClosed = !shared.isOpen && own.values().some(succeeds);
  const state = isClosed ? 'closed' : first.probes > 0 ? 'half_open' : 'open';
  return { state, retryAt: first.retryAt };
}
