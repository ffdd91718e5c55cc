// Every requirement is proven by a test that cites it.
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFaults, findUnproven, readCitations } from './coverage.ts';
import type { Citations } from './coverage.ts';
import { requirements } from './requirements.ts';

const root = join(import.meta.dir, '..');
const tests = ['e2e/*/**/*.test.ts', 'server/**/*.test.ts', 'contract/**/*.test.ts'];

test('every requirement is cited by a proof', async () => {
  expect(findFaults(requirements, await readTests())).toEqual([]);
});

describe('findFaults', () => {
  const cited = { id: 'a.cited', says: '' };
  const cite = (...ids: string[]): Citations => ({
    citations: ids.map((id) => ({ id, file: 'x.test.ts' })),
    unreadable: [],
  });

  test('accepts requirements that are cited', () => {
    expect(findFaults([cited], cite('a.cited', 'a.cited'))).toEqual([]);
  });

  test('reports an id that does not exist', () => {
    expect(findFaults([cited], cite('a.cited', 'a.other'))).toEqual([
      'a.other is cited in x.test.ts but is not a requirement: correct the id.',
    ]);
  });

  test('reports a requirement that is not cited', () => {
    expect(findFaults([cited], cite())).toEqual(['a.cited is cited nowhere: prove it.']);
  });

  test('reports an id that is listed twice and one that is misspelt', () => {
    const twice = findFaults([cited, cited], cite('a.cited'));
    expect(twice).toEqual(['a.cited is listed twice: rename one of the two.']);
    const misspelt = findFaults([{ id: 'a.max_results', says: '' }], cite('a.max_results'));
    expect(misspelt).toEqual(['a.max_results is not dotted kebab-case: rename it.']);
  });
});

test('a citation whose proof did not run is reported with its file', () => {
  const citations = ['a.ran', 'a.skipped'].map((id) => ({ id, file: 'x.test.ts' }));
  expect(findUnproven(citations, new Set(['a.ran']))).toEqual([
    'x.test.ts: cites a.skipped, but the proof did not run',
  ]);
});

describe('readCitations', () => {
  const idsIn = (source: string) =>
    readCitations('x.test.ts', source).citations.map(({ id }) => id);

  test('finds one id, and several in a list', () => {
    expect(idsIn(`proves('a.b', () => check());`)).toEqual(['a.b']);
    expect(idsIn(`await proves(["a.b", // why\n'c.d',\n], async () => {});`)).toEqual([
      'a.b',
      'c.d',
    ]);
  });

  test('ignores comments', () => {
    expect(idsIn(`// proves('a.b', run)\n/* proves('c.d', run) */\nproves('e.f', run);`)).toEqual([
      'e.f',
    ]);
  });

  test('names the file whose ids are not literals, or that cites without a callback', () => {
    const source = `const id = 'a.b'; proves(id, run); proves('c.d'); proves('e.f', run);`;
    expect(readCitations('x.test.ts', source).unreadable).toEqual(['x.test.ts: 2 of 3 calls']);
  });
});

describe('a proof in a test run', () => {
  const id = 'search.query.required';
  const rejecting =
    "async () => { await expect(Promise.reject(new Error('x'))).rejects.toThrow('x'); }";
  const runs: [what: string, body: string, passes: boolean][] = [
    ['that asserts is recorded', `proves('${id}', () => expect(1).toBe(1));`, true],
    [
      'that asserts after an await is recorded',
      `await proves('${id}', async () => { await Bun.sleep(1); expect(1).not.toBe(2); });`,
      true,
    ],
    ['that awaits a matcher is recorded', `await proves('${id}', ${rejecting});`, true],
    ['without an assertion fails', `proves('${id}', () => {});`, false],
    ['that calls no matcher fails', `proves('${id}', () => void expect(1));`, false],
    [
      'is not covered by the assertions of another proof beside it',
      `await Promise.all([
         proves('${id}', async () => { await Bun.sleep(20); }),
         proves('search.query.string', async () => { expect(1).toBe(1); }),
       ]);`,
      false,
    ],
    ['whose assertion fails is not recorded', `proves('${id}', () => expect(1).toBe(2));`, false],
    ['of an unknown requirement fails', `proves('a.b' as never, () => expect(1).toBe(1));`, false],
  ];

  test.each(runs)('%s', async (_what, body, passes) => {
    // Inside the project, so that the generated test finds bun:test and this folder.
    const folder = mkdtempSync(join(root, 'node_modules', '.cache-proves-'));
    try {
      const record = join(folder, 'record');
      writeFileSync(record, '');
      const file = join(folder, 'one.test.ts');
      const imports = `import { test } from 'bun:test';
        import { expect, proves } from '${join(import.meta.dir, 'proves.ts')}';`;
      writeFileSync(file, `${imports}\ntest('one', async () => { ${body} });`);
      const child = Bun.spawn([process.execPath, 'test', file], {
        env: { ...process.env, TRIVIUM_TEST_PROOFS: record },
        stdout: 'ignore',
        stderr: 'ignore',
      });
      expect((await child.exited) === 0).toBe(passes);
      expect((await Bun.file(record).text()).split('\n').includes(id)).toBe(passes);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

async function readTests(): Promise<Citations> {
  const files = tests.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })]);
  const readings = await Promise.all(
    files
      .filter((file) => !file.includes('node_modules'))
      .map(async (file) => readCitations(file, await Bun.file(join(root, file)).text())),
  );
  return {
    citations: readings.flatMap(({ citations }) => citations),
    unreadable: readings.flatMap(({ unreadable }) => unreadable),
  };
}
