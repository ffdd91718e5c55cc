// The hostile pages of the sandbox: the class of each is found, cleaning removes what can be
// removed, and ordinary pages are not flagged.
import { expect, test } from 'bun:test';
import { corpus, hostilePages } from '@trivium/sandbox/corpus';
import { sift } from '../src/content/core/scan.ts';

const clean = (text: string) => sift(text).cleaned;

const idsIn = (text: string): string[] => sift(text).signals.map(({ id }) => id);
const stays = new Set(['instruction', 'lookalike_host', 'encoded_data']);

test.each(hostilePages.map(({ signal, how, page }) => [signal, how, page] as const))(
  '%s is found: %s',
  (signal, _how, { title, body }) => {
    expect([...idsIn(title), ...idsIn(body)]).toContain(signal);
    for (const text of [title, body]) {
      expect(idsIn(clean(text)).filter((id) => !stays.has(id))).toEqual([]);
    }
  },
);

test('each class and each language has pages', () => {
  expect(new Set(hostilePages.map(({ signal }) => signal)).size).toBe(10);
  expect(hostilePages.filter(({ how }) => /^in [A-Z]/.test(how))).toHaveLength(13);
});

test('ordinary pages of the sandbox are not flagged', () => {
  const flagged = corpus.filter(({ title, body }) => idsIn(`${title}\n\n${body}`).length > 0);
  expect(flagged.map(({ url }) => url)).toEqual([]);
});
