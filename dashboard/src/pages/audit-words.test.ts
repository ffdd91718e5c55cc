// Every action of the audit log has words, and its fields are told briefly.
import { expect, test } from 'bun:test';
import { auditActions } from '@trivium/contract';
import { actionWords, changeWords } from './audit-words.ts';

test('every action has words, and no other', () => {
  expect(Object.keys(actionWords).toSorted()).toEqual([...auditActions].toSorted());
});

test('before and after, what is new, and what is removed', () => {
  expect(changeWords({ before: { cap: null }, after: { cap: 1 } })).toEqual(['cap: none → 1']);
  expect(changeWords({ before: null, after: { name: 'Agent', cap: null } })).toEqual([
    'name: Agent',
  ]);
  expect(changeWords({ before: { name: 'Agent' }, after: null })).toEqual(['name: Agent']);
  expect(changeWords({ before: null, after: null })).toEqual([]);
});

test('many and long values are cut', () => {
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`f${at}`, 'x'.repeat(500)]),
  );
  const words = changeWords({ before: null, after: many });
  expect(words).toHaveLength(9);
  expect(words.at(-1)).toBe('and 12 more');
  expect(words[0]?.length).toBeLessThan(100);
});
