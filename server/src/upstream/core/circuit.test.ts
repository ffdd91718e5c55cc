// The circuit: when it opens, how it probes, how it closes.
import { describe, expect, test } from 'bun:test';
import {
  closedCircuit,
  firstPauseMs,
  isPassable,
  leastCalls,
  longestPauseMs,
  passCircuit,
  probesPerPause,
  recordCall,
  windowMs,
} from './circuits.ts';
import type { CallResult, Circuit } from './circuits.ts';

function after(results: readonly CallResult[], at = 0, from: Circuit = closedCircuit(0)): Circuit {
  return results.reduce((circuit, result) => recordCall(circuit, result, at, at), from);
}

const failures = (count: number): CallResult[] => Array.from({ length: count }, () => 'failure');
const successes = (count: number): CallResult[] => Array.from({ length: count }, () => 'success');
const opened = after(failures(leastCalls));

/** How many calls pass at this time, and the circuit after them. */
function passAll(circuit: Circuit, at: number): [number, Circuit] {
  let passed = 0;
  let left = circuit;
  for (; isPassable(left, at); passed += 1) left = passCircuit(left, at);
  return [passed, left];
}

describe('a closed circuit', () => {
  test('opens when most of enough calls fail', () => {
    const mixed = after([...successes(0.4 * leastCalls), ...failures(0.6 * leastCalls)]);
    expect(mixed.isOpen).toBe(true);
    expect(isPassable(mixed, firstPauseMs - 1)).toBe(false);
  });
  test('stays closed while there are too few calls', () => {
    expect(after(failures(leastCalls - 1)).isOpen).toBe(false);
  });
  test('stays closed while half of the calls go well', () => {
    const mixed = Array.from({ length: 500 }, () => [...successes(1), ...failures(1)]).flat();
    expect(after(mixed).isOpen).toBe(false);
  });
  test('opens after a few failures however many calls went well before', () => {
    for (let good = 0; good < 3 * leastCalls; good += 1) {
      expect(after([...successes(good), ...failures(1.3 * leastCalls)]).isOpen).toBe(true);
    }
  });
  test('does not count what says nothing about the provider', () => {
    const quiet = after(Array.from({ length: 100 }, () => 'neither'));
    expect(quiet).toEqual(closedCircuit(0));
  });
  test('remembers the window before, and forgets what is older', () => {
    const early = after(failures(leastCalls - 1));
    expect(after(['failure'], windowMs + 1, early).isOpen).toBe(true);
    expect(after(['failure'], 2 * windowMs + 1, early).isOpen).toBe(false);
  });
});

describe('an open circuit', () => {
  test('lets a few probes through in each pause, which hang, fail or are left', () => {
    for (const result of [undefined, 'failure', 'neither'] as const) {
      let circuit = opened;
      const waits: number[] = [];
      for (let round = 0; round < 6; round += 1) {
        const at = circuit.retryAt;
        expect(isPassable(circuit, at - 1)).toBe(false);
        const [passed, next] = passAll(circuit, at);
        expect(passed).toBe(probesPerPause);
        circuit = result ? recordCall(next, result, at, at) : next;
        waits.push(circuit.retryAt - at);
      }
      expect(waits).toEqual([2000, 4000, 8000, ...Array.from({ length: 3 }, () => longestPauseMs)]);
    }
  });
  test('closes as soon as a probe succeeds, however late', () => {
    const [, probing] = passAll(opened, firstPauseMs);
    const [, again] = passAll(probing, probing.retryAt);
    const closed = recordCall(again, 'success', firstPauseMs, 90_000);
    expect(closed).toMatchObject({ isOpen: false, now: { calls: 1, failures: 0 } });
    expect(after(failures(leastCalls - 2), 90_000, closed).isOpen).toBe(false);
  });
  test('is not changed by calls that began before it opened or closed', () => {
    const [, probing] = passAll(opened, firstPauseMs);
    const closed = recordCall(probing, 'success', firstPauseMs, 2000);
    for (const circuit of [opened, probing, closed]) {
      for (const result of ['success', 'failure'] as const) {
        expect(recordCall(circuit, result, 0, 3000)).toBe(circuit);
      }
    }
  });
});
