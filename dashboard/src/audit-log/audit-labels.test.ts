// Every action of the audit log has a label, and long values are shortened.
import { expect, test } from 'bun:test';
import { auditActions } from '@trivium/contract';
import { when } from '../format.ts';
import { actionLabels, actorLabel, changeLabels, targetLabel } from './audit-labels.ts';

test('exactly the known actions have a label', () => {
  expect(Object.keys(actionLabels).toSorted()).toEqual([...auditActions].toSorted());
});

test('changed, new and removed values are shown', () => {
  expect(changeLabels({ before: { cap: null }, after: { cap: 1 } })).toEqual(['Cap: none → 1']);
  expect(changeLabels({ before: null, after: { name: 'Agent', cap: null } })).toEqual([
    'Name: Agent',
  ]);
  expect(changeLabels({ before: { name: 'Agent' }, after: null })).toEqual(['Name: Agent']);
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

test('fields, amounts, lists and ids have readable labels', () => {
  const names = new Map([
    ['acct_1', 'Research'],
    ['usr_1', 'Ada'],
  ]);
  const after = {
    account_id: 'acct_1',
    daily_cap_usd: 2.5,
    providers: ['engine_a', 'engine_b'],
    own_use_only: true,
    tools: [],
    old_secret_until: '2026-11-18T12:00:00.000Z',
  };
  expect(changeLabels({ before: null, after }, names)).toEqual([
    'Account: Research',
    'Daily cap: $2.50',
    'Providers: engine_a, engine_b',
    'Own use only: yes',
    'Tools: none',
    `Old secret until: ${when(after.old_secret_until)}`,
  ]);
  expect(actorLabel({ kind: 'person', id: 'usr_1', name: 'ada@a.example' }, names)).toBe('Ada');
  const entry = { target: 'key_1', before: { name: 'Nightly' }, after: null };
  expect(targetLabel(entry, names)).toBe('Nightly');
  expect(targetLabel({ ...entry, target: 'usr_1' }, names)).toBe('Ada');
  expect(targetLabel({ target: 'key_2', before: null, after: null }, names)).toBe('key_2');
});
