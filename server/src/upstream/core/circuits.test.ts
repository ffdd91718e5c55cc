// The circuits of accounts: whose failures keep whom from a provider.
import { describe, expect, test } from 'bun:test';
import {
  firstPauseMs,
  leastCalls,
  probesPerPause,
  windowMs,
  closedCircuits,
  isPassableFor,
  maxAccounts,
  maxOfOne,
  openUntilFor,
  passCall,
  recordResult,
  reportedCircuit,
} from './circuits.ts';
import type { CallResult, Circuits } from './circuits.ts';

function record(circuits: Circuits, account: string, result: CallResult, times: number, at = 0) {
  for (let count = 0; count < times; count += 1) recordResult(circuits, account, result, at, at);
  return circuits;
}

const failing = (...accounts: string[]) => {
  const circuits = closedCircuits(0);
  for (const account of accounts) record(circuits, account, 'failure', leastCalls);
  return circuits;
};

describe('failures of one account', () => {
  const alone = failing('hostile');
  test('keep that account from the provider, and no other', () => {
    expect(isPassableFor(alone, 'hostile', 0)).toBe(false);
    expect(isPassableFor(alone, 'honest', 0)).toBe(true);
    expect(openUntilFor(alone, 'hostile')).toBe(firstPauseMs);
  });
  test('keep it from the provider however many there are, beside any number of successes', () => {
    for (const successes of [1, maxOfOne, leastCalls, 1000]) {
      const circuits = record(failing('hostile'), 'honest', 'success', successes);
      record(circuits, 'hostile', 'failure', 1000);
      expect(isPassableFor(circuits, 'honest', 1)).toBe(true);
      expect(reportedCircuit(circuits).state).toBe('closed');
    }
  });
  test('are shown as long as no other account succeeds', () => {
    expect(reportedCircuit(alone)).toMatchObject({ state: 'open', retryAt: firstPauseMs });
    expect(reportedCircuit(record(failing('a'), 'b', 'failure', 3)).state).toBe('open');
    expect(reportedCircuit(record(failing('a'), 'b', 'success', 1, windowMs)).state).toBe('closed');
  });
  test('count also when their calls began before a success of another account', () => {
    const circuits = record(closedCircuits(0), 'honest', 'success', 1, 100);
    for (let count = 0; count < leastCalls; count += 1) {
      recordResult(circuits, 'hostile', 'failure', 50, 150);
    }
    expect(isPassableFor(circuits, 'hostile', 150)).toBe(false);
  });
  test('beside a single failure of another account change nothing', () => {
    const circuits = record(failing('hostile'), 'honest', 'success', maxOfOne - 1);
    record(circuits, 'honest', 'failure', 1);
    expect(isPassableFor(circuits, 'honest', 1)).toBe(true);
  });
});

describe('failures of several accounts', () => {
  test('keep every account from the provider for a while', () => {
    const circuits = failing('one', 'two');
    for (const account of ['one', 'two', 'new']) {
      expect(isPassableFor(circuits, account, 0)).toBe(false);
    }
    expect(isPassableFor(circuits, 'new', firstPauseMs)).toBe(true);
    expect(reportedCircuit(circuits).state).toBe('open');
  });
  test('of which each has made few calls open it too', () => {
    const circuits = closedCircuits(0);
    const names = Array.from({ length: leastCalls }, (_, at) => `account ${at}`);
    for (const name of names) record(circuits, name, 'failure', 1);
    expect(isPassableFor(circuits, 'account 0', 0)).toBe(false);
  });
  test('each account probes for itself, so one that always fails keeps no other away', () => {
    const circuits = failing('hostile', 'also failing');
    const at = firstPauseMs;
    for (const account of ['hostile', 'also failing', 'new']) {
      for (let probe = 0; probe < probesPerPause; probe += 1) {
        expect(isPassableFor(circuits, account, at)).toBe(true);
        passCall(circuits, account, at);
        recordResult(circuits, account, 'failure', at, at);
      }
      expect(isPassableFor(circuits, account, at)).toBe(false);
    }
    expect(reportedCircuit(circuits).state).toBe('open');
    record(circuits, 'also failing', 'success', 1, at);
    expect(isPassableFor(circuits, 'hostile', at)).toBe(false);
    expect(isPassableFor(circuits, 'also failing', at)).toBe(true);
    expect(isPassableFor(circuits, 'other', at)).toBe(true);
    expect(reportedCircuit(circuits).state).toBe('closed');
  });
  test('count only while they are recent', () => {
    const circuits = record(closedCircuits(0), 'one', 'failure', maxOfOne);
    record(circuits, 'two', 'failure', maxOfOne, 3 * windowMs);
    expect(isPassableFor(circuits, 'new', 3 * windowMs)).toBe(true);
  });
});

test('an account that left a call says nothing', () => {
  expect(record(closedCircuits(0), 'a', 'neither', 100).shared).toEqual(closedCircuits(0).shared);
});

test('the circuits of a bounded number of accounts are kept', () => {
  const circuits = closedCircuits(0);
  for (let at = 0; at < 2 * maxAccounts; at += 1) record(circuits, `account ${at}`, 'success', 1);
  expect(circuits.own.size).toBe(maxAccounts);
});
