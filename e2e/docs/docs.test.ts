// The documentation is correct: its programs run and print what it says, its links and paths exist.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  extractEngineIds,
  type ProviderId,
  providerIds,
  providerNames,
  searchEngineIds,
  transcriberIds,
} from '@trivium/contract';
import { sharedGateway } from '../harness.ts';
import { blocksOf, differences, patternOf } from './blocks.ts';
import type { Block } from './blocks.ts';
import { openWorkbench } from './run-block.ts';
import type { Result, Workbench } from './run-block.ts';

const root = join(import.meta.dir, '..', '..');
const docs = join(root, 'docs');
const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
const read = (name: string) => readFileSync(join(docs, name), 'utf8');
/** What npm shows of the package is documentation too. */
const packagePage = '../sdk/README.md';
const blocks = [...pages, packagePage].flatMap((page) => blocksOf(page, read(page)));
// Those for a live gateway are run by going-live.test.ts.
const runnable = blocks.filter(
  ({ language, live }) => !live && (language === 'sh' || language === 'ts'),
);
const adminToken = 'operator-token-of-the-documentation-tests';
// Programs run in parallel, and each open transcription counts with its highest cost.
const gateway = sharedGateway({
  env: { TRIVIUM_ADMIN_TOKEN: adminToken, TRIVIUM_BOOTSTRAP_BALANCE_USD: '100' },
});
/** Four pages at once; the programs of a page run in order, in a separate folder. */
const pagesAtOnce = 4;
const queue = [...Map.groupBy(runnable, ({ page }) => page).values()];
const results = new Map(runnable.map((block) => [block, Promise.withResolvers<Result>()]));
let running: Promise<unknown> = Promise.resolve();

beforeAll(() => {
  running = Promise.all(Array.from({ length: pagesAtOnce }, runPages));
});
afterAll(() => running);

function openBench(): Promise<Workbench> {
  return openWorkbench({
    TRIVIUM_URL: gateway().url,
    TRIVIUM_API_KEY: gateway().key,
    TRIVIUM_ADMIN_TOKEN: adminToken,
  });
}

async function runPages(): Promise<void> {
  for (let page = queue.shift(); page !== undefined; page = queue.shift()) {
    await using workbench = await openBench();
    for (const block of page) {
      const { resolve, promise } = results.get(block) ?? Promise.withResolvers<Result>();
      resolve(workbench.run(block));
      await promise.catch(() => undefined);
    }
  }
}

describe('every program in the documentation', () => {
  test.each(runnable.map((block): [string, Block] => [`${block.page}:${block.line}`, block]))(
    '%s does what it says',
    async (_place, block) => {
      expect(block.expect ?? block.until, 'a block says what it expects').toBeDefined();
      const result = await results.get(block)?.promise;
      expect(result?.output).toMatch(patternOf(block.expect ?? block.until ?? ''));
      // A program that is stopped at a word may have any exit code.
      if (block.until === undefined) expect(result?.code === 0).toBe(!block.fails);
      if (block.answer !== undefined) {
        expect(differences(block.answer, JSON.parse(result?.output ?? ''))).toEqual([]);
      }
    },
  );

  test('is written in a language that the tests run, or is not a program', () => {
    // Python is run by e2e/clients/python-client.test.ts, where there is a Python.
    const known = ['sh', 'ts', 'python', 'json', 'console', ''];
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
  });
});

describe('every link in the documentation', () => {
  test('leads to a page, and to a heading if it names one', async () => {
    const missing: string[] = [];
    const texts = new Map<string, string>();
    const textAt = async (address: string) => {
      const known = texts.get(address);
      if (known !== undefined) return known;
      const { status, text } = await gateway().get(address);
      texts.set(address, status === 200 ? text : '');
      return texts.get(address) ?? '';
    };
    for (const page of pages) {
      for (const [, link = ''] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^images\/[\w-]+\.(?:svg|png)$/.test(link)) {
          if (!(await textAt(`/docs/${link}`))) missing.push(`${page}: there is no ${link}`);
          continue;
        }
        if (!/^[a-z0-9-]+\.md(#[\w-]+)?$/.test(link)) {
          missing.push(`${page}: ${link} is not a page of the documentation`);
          continue;
        }
        const [file = '', anchor] = link.split('#');
        const address = file === 'index.md' ? '/docs' : `/docs/${file.slice(0, -3)}`;
        const text = await textAt(address);
        if (!text.includes(anchor === undefined ? '<html' : `id="${anchor}"`))
          missing.push(`${page}: ${link} leads nowhere`);
      }
    }
    expect(missing).toEqual([]);
  });

  test('is in the overview for every page, so that nothing is hidden', () => {
    const linked = [...read('index.md').matchAll(/\]\(([a-z0-9-]+\.md)\)/g)].map(([, one]) => one);
    expect(pages.filter((page) => page !== 'index.md' && !linked.includes(page))).toEqual([]);
  });

  test('to a file of the project names one that exists', () => {
    const named = pages.flatMap((page) =>
      [
        ...read(page).matchAll(
          /`((?:deploy|server|sdk|contract|docs|e2e|examples|maintainers|python)\/[\w./-]+)`/g,
        ),
      ].map(([, path = '']) => path),
    );
    expect(named.length).toBeGreaterThan(0);
    const made = ['sdk/dist', 'deploy/.env'];
    expect(named.filter((path) => !made.includes(path) && !existsSync(join(root, path)))).toEqual(
      [],
    );
  });
});

describe('the settings page', () => {
  test('names every variable that the adapters read', () => {
    const variables = providerFiles().flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b|\bPORT\b/g)].map(
        ([name]) => name,
      ),
    );
    const named = new Set(read('settings.md').match(/\w+/g));
    const own = new Set(
      variables.filter((name) => /_(KEY|URL|DIR|ID|SECRET)$|TRIVIUM|OTEL/.test(name)),
    );
    expect(own.size).toBeGreaterThan(20);
    expect([...own].filter((name) => !named.has(name))).toEqual([]);
  });
});

function providerFiles(): string[] {
  const folder = 'server/src/providers';
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);
}

describe('the figures', () => {
  test('of the providers, and the table of who they are, are those of the contract', () => {
    const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
    const [engines, extractors, transcribers] = [
      searchEngineIds,
      extractEngineIds,
      transcriberIds,
    ].map(({ length }) => words[length]);
    expect(read('index.md').replaceAll('\n', ' ')).toContain(
      `${engines} search engines, ${extractors} page extractors and ${transcribers} speech-to-text`,
    );
    const has = (ids: readonly string[], id: string) => (ids.includes(id) ? 'yes' : '');
    const expected = providerIds.map((id) => [
      `\`${id}\``,
      new RegExp(`\`${id}\`\\s*\\| (\\S+) `).exec(read('settings.md'))?.[1] ?? 'none',
      has(searchEngineIds, id),
      has(extractEngineIds, id),
      has(transcriberIds, id),
    ]);
    for (const page of ['index.md', '../README.md']) {
      expect(read(page).replaceAll(/\s+/g, ' ')).toMatch(
        /eleven (?:web )?search engines, nine page extractors and three speech-to-text services/,
      );
    }
    expect(cellsOf(read('index.md'), /^\| `(?:engine|stt)_\w`.*$/gm)).toEqual(expected);
    const vendors = (ids: readonly ProviderId[]) => ids.map((id) => providerNames[id]).toSorted();
    const listed = cellsOf(read('../README.md'), /^\| (?:Search|Extraction|Transcription) .*$/gm);
    expect(listed.map(([, names = '']) => names.split(', ').toSorted())).toEqual([
      vendors(searchEngineIds),
      vendors(extractEngineIds),
      vendors(transcriberIds),
    ]);
  });
});

/** The cells of the rows of tables that match. */
function cellsOf(text: string, row: RegExp): string[][] {
  return (text.match(row) ?? []).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
