// Closes the circle: every requirement is proven by a test that cites it, or is pending.
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { describeCounts, findFaults, readCitations } from './coverage.ts';
import type { Reading } from './coverage.ts';
import { requirements } from './requirements.ts';

const ROOT = join(import.meta.dir, '..');
const TESTS = ['e2e/*/**/*.test.ts', 'server/**/*.test.ts', 'contract/**/*.test.ts'];

test('every requirement is proven by a test that cites it, or is still pending', async () => {
  process.stdout.write(`${describeCounts(requirements)}\n`);
  expect(findFaults(requirements, await readTests())).toEqual([]);
});

describe('the judge', () => {
  const proven = { id: 'a.proven', says: '' };
  const owed = { id: 'a.owed', says: '', pending: 'search' } as const;
  const cite = (...ids: string[]): Reading => ({
    citations: ids.map((id) => ({ id, file: 'x.test.ts' })),
    unreadable: [],
  });

  test('is content when the proven are cited and the pending are not', () => {
    expect(findFaults([proven, owed], cite('a.proven', 'a.proven'))).toEqual([]);
  });

  test('objects to an id that does not exist', () => {
    expect(findFaults([proven], cite('a.proven', 'a.other'))).toEqual([
      'a.other is cited in x.test.ts but is no requirement: correct the id.',
    ]);
  });

  test('objects to a requirement that is neither cited nor pending', () => {
    expect(findFaults([proven], cite())).toEqual([
      'a.proven is cited nowhere: prove it, or mark it pending.',
    ]);
  });

  test('objects to a pending requirement that is cited', () => {
    expect(findFaults([owed], cite('a.owed'))).toEqual([
      'a.owed is proven in x.test.ts: take its pending mark away.',
    ]);
  });

  test('objects to an id that is listed twice and to one that is misspelt', () => {
    const twice = findFaults([proven, proven], cite('a.proven'));
    expect(twice).toEqual(['a.proven is listed twice: rename one of the two.']);
    const misspelt = findFaults([{ id: 'a.max_results', says: '' }], cite('a.max_results'));
    expect(misspelt).toEqual(['a.max_results is not dotted kebab-case: rename it.']);
  });

  test('counts what is proven and what each part still owes', () => {
    expect(describeCounts([proven, owed, owed])).toBe(
      '3 requirements: 1 proven, 2 pending (search 2)',
    );
  });
});

describe('the reader', () => {
  const idsIn = (source: string) =>
    readCitations('x.test.ts', source).citations.map(({ id }) => id);

  test('finds the ids of scenarios, whatever their sentence looks like', () => {
    expect(idsIn(`scenario('plain', ['a.b', "c.d"], async () => {});`)).toEqual(['a.b', 'c.d']);
    expect(idsIn(`scenario("it's (quoted) ['x']", [\n'a.b', // why\n], run);`)).toEqual(['a.b']);
    expect(idsIn('scenario(`with ${value}`, ["a.b"], run);')).toEqual(['a.b']);
  });

  test('finds the ids of proves', () => {
    expect(idsIn(`test('x', () => { proves('a.b', 'c.d'); });`)).toEqual(['a.b', 'c.d']);
  });

  test('does not count what stands in a comment', () => {
    expect(idsIn(`// proves('a.b')\n/* scenario('x', ['c.d'], run) */\nproves('e.f');`)).toEqual([
      'e.f',
    ]);
  });

  test('names the file whose ids are not written out', () => {
    const source = `const ids = ['a.b']; scenario('x', ids, run); proves('c.d');`;
    expect(readCitations('x.test.ts', source).unreadable).toEqual(['x.test.ts: 1 of 2 calls']);
  });
});

async function readTests(): Promise<Reading> {
  const readings: Reading[] = [];
  for (const pattern of TESTS) {
    for await (const file of new Bun.Glob(pattern).scan({ cwd: ROOT })) {
      if (file.includes('node_modules')) continue;
      readings.push(readCitations(file, await Bun.file(join(ROOT, file)).text()));
    }
  }
  return {
    citations: readings.flatMap(({ citations }) => citations),
    unreadable: readings.flatMap(({ unreadable }) => unreadable),
  };
}
