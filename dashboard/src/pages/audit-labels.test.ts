// Every action of the audit log has a label, and long values are shortened.
import { expect, test } from 'bun:test';
import { auditActions } from '@trivium/contract';
import { actionLabels, changeLabels } from './audit-labels.ts';

test('every action has a label, and no other', () => {
  expect(Object.keys(actionLabels).toSorted()).toEqual([...auditActions].toSorted());
});

test('before and after, what is new, and what is removed', () => {
  expect(changeLabels({ before: { cap: null }, after: { cap: 1 } })).toEqual(['cap: none → 1']);
  expect(changeLabels({ before: null, after: { name: 'Agent', cap: null } })).toEqual([
    'name: Agent',
  ]);
  expect(changeLabels({ before: { name: 'Agent' }, after: null })).toEqual(['name: Agent']);
  expect(changeLabels({ before: null, after: null })).toEqual([]);
});

test('many and long values are cut', () => {
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`f${at}`, 'x'.repeat(500)]),
  );
  const words = changeLabels({ before: null, after: many });
  expect(words).toHaveLength(9);
  expect(words.at(-1)).toBe('and 12 more');
  expect(words[0]?.length).toBeLessThan(100);
});
