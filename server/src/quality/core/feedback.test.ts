// Feedback: several statements about one result have a rule, and their sum is a quality.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { applyFeedback, countUseful, qualityByFeedback, type Verdict } from './feedback.ts';

const none = new Map<string, Verdict>();
const results = ['r1', 'r2', 'r3', 'r4'];
const qualityOf = (message: Parameters<typeof applyFeedback>[1]) =>
  qualityByFeedback(results, applyFeedback(none, message));

describe('statements about one result', () => {
  test.each([
    [{ opened: ['r1'], cited: ['r1'] }, 'cited'],
    [{ opened: ['r1'], rejected: ['r1'] }, 'rejected'],
    [{ cited: ['r1'], rejected: ['r1'] }, undefined],
    [{ cited: ['r1'], opened: ['r1'], rejected: ['r1'] }, undefined],
    [{ cited: ['r1', 'r1'] }, 'cited'],
  ] as const)('%j is %p', (message, verdict) => {
    expect(applyFeedback(none, message).get('r1')).toBe(verdict);
  });

  test('a later message replaces what it speaks of, and nothing else', () => {
    const first = applyFeedback(none, { cited: ['r1', 'r2'] });
    const second = applyFeedback(first, { rejected: ['r1'] });
    expect([...second]).toEqual([
      ['r1', 'rejected'],
      ['r2', 'cited'],
    ]);
    expect(applyFeedback(second, { rejected: ['r1'] })).toEqual(second);
    expect([...first.values()]).toEqual(['cited', 'cited']);
    expect(applyFeedback(second, {})).toEqual(second);
  });
});

describe('the quality of a search', () => {
  test('is 1 for a citation at the top, less further down, and less for a page that was only opened', () => {
    expect(qualityOf({ cited: ['r1'] })).toBe(1);
    expect(qualityOf({ cited: ['r3'] })).toBe(0.5);
    expect(qualityOf({ opened: ['r1'] })).toBe(0.5);
    expect(qualityOf({ opened: ['r3'], rejected: ['r1'] })).toBe(0);
  });

  test('is 0 where all was rejected, and unknown where nothing was said', () => {
    expect(qualityOf({ rejected: ['r1', 'r2'] })).toBe(0);
    expect(qualityOf({})).toBeUndefined();
    expect(qualityOf({ cited: ['of another search'] })).toBeUndefined();
    expect(qualityByFeedback([], new Map([['r1', 'cited']]))).toBeUndefined();
  });

  test('is from 0 to 1, and no page that was cited lowers it', () => {
    const ids = fc.subarray(results);
    fc.assert(
      fc.property(ids, ids, ids, fc.constantFrom(...results), (cited, opened, rejected, added) => {
        const verdicts = applyFeedback(none, { cited, opened, rejected });
        const before = qualityByFeedback(results, verdicts) ?? 0;
        const after = qualityByFeedback(results, new Map(verdicts).set(added, 'cited')) ?? 0;
        expect(before).toBeGreaterThanOrEqual(0);
        expect(after).toBeLessThanOrEqual(1);
        expect(after).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  test('counts what was of use', () => {
    const verdicts = applyFeedback(none, { cited: ['r1'], opened: ['r2'], rejected: ['r3'] });
    expect(countUseful(results, verdicts)).toBe(2);
  });
});
