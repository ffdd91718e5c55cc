// The circuit of a provider: left alone after failing often, then tried with single calls until
// it is well again.

export type CircuitState = 'closed' | 'open' | 'half_open';

export interface Circuit {
  state: CircuitState;
  /** The running window, and the one before it, so that a new window does not start blind. */
  window_from: number;
  now: Tally;
  before: Tally;
  /** When an open circuit lets its next probe through. */
  open_until: number;
  /** How long it stays open; doubled each time a probe fails. */
  open_ms: number;
  /** When the probe under way began; 0 when there is none. */
  probing_since: number;
  /** Probes that went well since it opened. */
  healed: number;
}

interface Tally {
  calls: number;
  failures: number;
}

/** `neither` says nothing about the provider's health, such as a caller who went away. */
export type CallResult = 'success' | 'failure' | 'neither';

export const window_ms = 10_000;
/** Fewer calls than this are too few to judge by. */
export const least_calls = 20;
export const failure_share = 0.5;
export const first_open_ms = 5_000;
export const longest_open_ms = 60_000;
export const probes_to_close = 2;
/** A probe that never came back does not keep the circuit from trying another. */
export const longest_probe_ms = 120_000;

const none: Tally = { calls: 0, failures: 0 };

export function closedCircuit(now: number): Circuit {
  return {
    state: 'closed',
    window_from: now,
    now: none,
    before: none,
    open_until: 0,
    open_ms: first_open_ms,
    probing_since: 0,
    healed: 0,
  };
}

/** Whether a call would be let through at this moment. */
export function isPassable(circuit: Circuit, now: number): boolean {
  if (circuit.state === 'closed') return true;
  if (circuit.state === 'open') return now >= circuit.open_until;
  return circuit.probing_since === 0 || now - circuit.probing_since > longest_probe_ms;
}

/** To be called when a passable circuit is passed: beyond a closed one, that is a probe. */
export function passCircuit(circuit: Circuit, now: number): Circuit {
  if (circuit.state === 'closed') return circuit;
  return { ...circuit, state: 'half_open', probing_since: now };
}

export function recordCall(circuit: Circuit, result: CallResult, now: number): Circuit {
  if (circuit.state === 'half_open') return recordProbe(circuit, result, now);
  if (circuit.state === 'open' || result === 'neither') return circuit;
  const rolled = rollWindow(circuit, now);
  const tally = {
    calls: rolled.now.calls + 1,
    failures: rolled.now.failures + (result === 'failure' ? 1 : 0),
  };
  const counted = { ...rolled, now: tally };
  return isFailing(counted) ? open(counted, now) : counted;
}

function recordProbe(circuit: Circuit, result: CallResult, now: number): Circuit {
  const idle = { ...circuit, probing_since: 0 };
  if (result === 'neither') return idle;
  if (result === 'failure') {
    const open_ms = Math.min(circuit.open_ms * 2, longest_open_ms);
    return open({ ...idle, open_ms }, now);
  }
  const healed = circuit.healed + 1;
  return healed >= probes_to_close ? closedCircuit(now) : { ...idle, healed };
}

function rollWindow(circuit: Circuit, now: number): Circuit {
  const age = now - circuit.window_from;
  if (age < window_ms) return circuit;
  return {
    ...circuit,
    window_from: now,
    now: none,
    before: age < 2 * window_ms ? circuit.now : none,
  };
}

function isFailing({ now, before }: Circuit): boolean {
  const calls = now.calls + before.calls;
  return calls >= least_calls && (now.failures + before.failures) / calls >= failure_share;
}

function open(circuit: Circuit, now: number): Circuit {
  return { ...circuit, state: 'open', open_until: now + circuit.open_ms, healed: 0 };
}
