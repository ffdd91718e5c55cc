// The circuit: when it opens, how it probes, how it closes.
import { describe, expect, test } from 'bun:test';
import {
  closedCircuit,
  firstOpenMs,
  isPassable,
  leastCalls,
  longestOpenMs,
  longestProbeMs,
  passCircuit,
  probesToClose,
  recordCall,
  windowMs,
} from './circuits.ts';
import type { CallResult, Circuit } from './circuits.ts';

function after(results: readonly CallResult[], at = 0, from: Circuit = closedCircuit(0)): Circuit {
  return results.reduce((circuit, result) => recordCall(circuit, result, at), from);
}

const failures = (count: number): CallResult[] => Array.from({ length: count }, () => 'failure');
const successes = (count: number): CallResult[] => Array.from({ length: count }, () => 'success');
const opened = after(failures(leastCalls));

describe('a closed circuit', () => {
  test('opens when half of enough calls fail', () => {
    const half = leastCalls / 2;
    const mixed = after([...successes(half), ...failures(half)]);
    expect(mixed.state).toBe('open');
    expect(isPassable(mixed, firstOpenMs - 1)).toBe(false);
  });
  test('stays closed while there are too few calls', () => {
    expect(after(failures(leastCalls - 1)).state).toBe('closed');
  });
  test('stays closed while most calls go well', () => {
    expect(after([...successes(leastCalls), ...failures(leastCalls - 1)]).state).toBe('closed');
  });
  test('does not count what says nothing about the provider', () => {
    const quiet = after(Array.from({ length: 100 }, () => 'neither'));
    expect(quiet).toEqual(closedCircuit(0));
  });
  test('remembers the window before, and forgets what is older', () => {
    const early = after(failures(leastCalls - 1));
    expect(after(['failure'], windowMs + 1, early).state).toBe('open');
    expect(after(['failure'], 2 * windowMs + 1, early).state).toBe('closed');
  });
});

describe('an open circuit', () => {
  test('lets one probe through when its time is up, and no second one beside it', () => {
    expect(isPassable(opened, firstOpenMs)).toBe(true);
    const probing = passCircuit(opened, firstOpenMs);
    expect(probing.state).toBe('half_open');
    expect(isPassable(probing, firstOpenMs + 1)).toBe(false);
  });
  test('closes after enough probes went well, one after another', () => {
    let circuit = opened;
    for (let probe = 0; probe < probesToClose; probe += 1) {
      expect(circuit.state).not.toBe('closed');
      circuit = recordCall(passCircuit(circuit, firstOpenMs), 'success', firstOpenMs);
    }
    expect(circuit.state).toBe('closed');
  });
  test('stays open longer each time a probe fails, up to a bound', () => {
    let circuit = opened;
    let at = circuit.openUntil;
    const waits: number[] = [];
    for (let probe = 0; probe < 6; probe += 1) {
      circuit = recordCall(passCircuit(circuit, at), 'failure', at);
      waits.push(circuit.openUntil - at);
      at = circuit.openUntil;
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, longestOpenMs, longestOpenMs, longestOpenMs]);
  });
  test('a probe whose caller went away makes room for the next', () => {
    const idle = recordCall(passCircuit(opened, firstOpenMs), 'neither', firstOpenMs + 1);
    expect(isPassable(idle, firstOpenMs + 1)).toBe(true);
  });
  test('a probe that never comes back is given up', () => {
    const probing = passCircuit(opened, firstOpenMs);
    expect(isPassable(probing, firstOpenMs + longestProbeMs + 1)).toBe(true);
  });
  test('is not moved by calls that began before it opened', () => {
    expect(after(successes(50), 10, opened)).toEqual(opened);
  });
});
