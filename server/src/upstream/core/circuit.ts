// The circuit breaker of a provider: it opens after many failures, then lets single probes through
// until they succeed.

type CircuitState = 'closed' | 'open' | 'half_open';

export interface Circuit {
  state: CircuitState;
  /** The current window and the previous one, so that a new window does not start empty. */
  windowFrom: number;
  now: Counters;
  before: Counters;
  /** When the open circuit lets its next probe through. */
  openUntil: number;
  /** How long it stays open; doubled each time a probe fails. */
  openMs: number;
  /** When the current probe began; 0 when there is none. */
  probingSince: number;
  /** Successful probes since it opened. */
  healed: number;
}

interface Counters {
  calls: number;
  failures: number;
}

/** `neither` does not count for the provider's health: the caller disconnected, for example. */
export type CallResult = 'success' | 'failure' | 'neither';

export const windowMs = 10_000;
/** With fewer calls in the window, the circuit stays closed. */
export const leastCalls = 20;
const failureShare = 0.5;
export const firstOpenMs = 5_000;
export const longestOpenMs = 60_000;
export const probesToClose = 2;
/** A probe that never ended does not block another one. */
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

/** Whether a call would be let through at this moment. */
export function isPassable(circuit: Circuit, now: number): boolean {
  if (circuit.state === 'closed') return true;
  if (circuit.state === 'open') return now >= circuit.openUntil;
  return circuit.probingSince === 0 || now - circuit.probingSince > longestProbeMs;
}

/** Call it when a call is let through; with an open circuit that call is a probe. */
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
