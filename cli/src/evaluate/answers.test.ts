// Stored answers: an interrupted evaluation continues, and never pays for a query twice.
import { afterAll, expect, test } from 'bun:test';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepAnswers } from './answers.ts';
import type { EngineAnswer } from '@trivium/sdk/evaluate';

const folder = mkdtempSync(join(tmpdir(), 'trivium-evaluate-answers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${(files += 1)}.jsonl`);
const hourMs = 3_600_000;

const served = (query: string): EngineAnswer => ({
  ...{ query, engine: 'engine_a', outcome: 'served', pages: [] },
  ...{ cost_usd: 0.005, latency_ms: 10 },
});

test('answers and keys survive, and half a line does not matter', () => {
  const file = newFile();
  const first = keepAnswers(file, 'one', () => 0);
  const key = first.begin('q1', 'engine_a');
  const open = first.begin('q2', 'engine_a');
  first.add(served('q1'));
  appendFileSync(file, '{"answer":{"query":"q3","engine":"eng');
  const second = keepAnswers(file, 'one', () => hourMs);
  expect([first.isResumed, second.isResumed]).toEqual([false, true]);
  expect(second.find('q1', 'engine_a')).toEqual(served('q1'));
  expect(second.find('q2', 'engine_a')).toBeUndefined();
  expect(second.begin('q2', 'engine_a')).toBe(open);
  expect(open).not.toBe(key);
  expect(second.spentUsd()).toBe(0.005);
  second.add(served('q3'));
  expect(keepAnswers(file, 'one', () => hourMs).list()).toHaveLength(2);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a query that was sent too long ago is not sent again', () => {
  const file = newFile();
  keepAnswers(file, 'one', () => 0).begin('q1', 'engine_a');
  const later = keepAnswers(file, 'one', () => 24 * hourMs);
  expect(later.find('q1', 'engine_a')?.outcome).toBe('lost');
});

test('two evaluations have different keys, and another evaluation is refused', () => {
  const file = newFile();
  const one = keepAnswers(file, 'one', () => 0).begin('q1', 'engine_a');
  const other = keepAnswers(newFile(), 'one', () => 0).begin('q1', 'engine_a');
  expect(one).not.toBe(other);
  expect(() => keepAnswers(file, 'two', () => 0)).toThrow('the answers of another evaluation');
});

test.each([['not JSON'], ['{}'], ['{"evaluation":1,"run":2}'], ['']])(
  'a file with %j is not continued, and is unchanged',
  (text) => {
    const file = newFile();
    writeFileSync(file, text);
    expect(() => keepAnswers(file, 'one', () => 0)).toThrow('Give another --output');
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);
