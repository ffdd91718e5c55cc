// Adding a search engine changes its folder, one id and one line. This adds `engine_l` to a copy of
// the project in that way, and runs the provider suites there. What the compiler would demand beyond
// that lists every engine, so it would be found among the sources that do.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchEngineIds, typedName } from '@trivium/contract';
import manifest from '../../package.json' with { type: 'json' };

const root = join(import.meta.dir, '../..');
const copy = mkdtempSync(join(tmpdir(), 'trivium-new-engine-'));

const { workspaces } = manifest;
const folders = [...workspaces, 'e2e', 'bench', 'scripts'];
const files = ['package.json', 'tsconfig.json', 'tsconfig.base.json'];

/** As in `npm test`: only a test that hangs takes as long. */
const noHurry = '--timeout=120000';
/** The suites that have a test for each provider: only those of the new one are run. */
const ofEachProvider = ['negotiation', 'prices', 'providers'];
const ofAllProviders = [
  'contract/src/ids.test.ts',
  'contract/src/openapi.test.ts',
  'server/src/settings/settings.test.ts',
  'server/test/provider-docs.test.ts',
];

beforeAll(() => {
  copyProject();
  addEngine();
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('a new engine needs its folder, its id and its line, and passes every check for providers', async () => {
  // The pages that are generated from the registry.
  expect(await run('scripts/provider-docs.ts')).toEqual({ code: 0, output: '' });
  const suites = ofEachProvider.map((name) => `./server/test/${name}.test.ts`);
  const own = await run(
    'test',
    noHurry,
    ...suites,
    '-t',
    'engine_l|lumen|every listed rate|zero|file',
  );
  expect([own.code, own.output]).toEqual([0, own.output]);
  expect(own.output).toContain('search on engine_l');
  const all = await run('test', noHurry, ...ofAllProviders.map((path) => `./${path}`));
  expect([all.code, all.output]).toEqual([0, all.output]);
});

test('only the ids, the registry and the sandbox list every engine or every vendor', () => {
  const listings = [searchEngineIds, searchEngineIds.map(typedName)];
  const sources = workspaces.flatMap((folder) =>
    [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(root)].filter(
      (path) => !/node_modules|\/dist\/|\.test\.tsx?$|^server\/test\//.test(path),
    ),
  );
  const complete = sources.filter((path) => {
    const words = new Set(readFileSync(join(root, path), 'utf8').match(/\w+/g));
    return listings.some((names) => names.every((name) => words.has(name)));
  });
  expect(complete.toSorted()).toEqual([
    'contract/src/provider-names.ts',
    'sandbox/src/vendors/index.ts',
    'server/src/providers/registry.ts',
  ]);
});

test('the check reports an engine whose folder lacks a part', async () => {
  const golden = join(copy, 'server/src/providers/lumen/golden-prices.json');
  const { rates_usd, ...others } = JSON.parse(readFileSync(golden, 'utf8')) as Golden;
  const { web: _web, ...search } = rates_usd.search;
  writeFileSync(golden, JSON.stringify({ ...others, rates_usd: { search } }));
  const { code, output } = await run('test', './server/test/prices.test.ts');
  expect(code).toBe(1);
  expect(output).toContain('engine_l search web');
});

interface Golden {
  rates_usd: { search: Record<string, number> };
}

/** Packages are linked; the workspaces among them are those of the copy. */
function copyProject(): void {
  for (const folder of folders) {
    const filter = (path: string) => !/\/node_modules$|\/dist$/.test(path);
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter });
    linkPackages(join(folder, 'node_modules'));
  }
  for (const file of files) cpSync(join(root, file), join(copy, file));
  linkPackages('node_modules');
  mkdirSync(join(copy, 'node_modules/@trivium'));
  for (const workspace of workspaces) {
    symlinkSync(join(copy, workspace), join(copy, 'node_modules/@trivium', workspace));
  }
}

function linkPackages(folder: string): void {
  if (!existsSync(join(root, folder))) return;
  mkdirSync(join(copy, folder));
  for (const name of readdirSync(join(root, folder))) {
    if (name === '@trivium') continue;
    symlinkSync(join(root, folder, name), join(copy, folder, name));
  }
}

/** The new engine is engine_k under another name: a small vendor that only searches. */
function addEngine(): void {
  const providers = join(copy, 'server/src/providers');
  const folder = join(providers, 'lumen');
  cpSync(join(providers, 'perplexity'), folder, { recursive: true });
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(ts|json)$/.test(path)) continue;
    edit(join(folder, path), (text) =>
      text
        .replaceAll('engine_k', 'engine_l')
        .replaceAll('PERPLEXITY', 'LUMEN')
        .replaceAll('const perplexity', 'const lumen'),
    );
  }
  edit(join(copy, 'contract/src/provider-names.ts'), (text) =>
    text
      .replace("  'engine_k',\n", "  'engine_k',\n  'engine_l',\n")
      .replace("  engine_k: 'Perplexity',\n", "  engine_k: 'Perplexity',\n  engine_l: 'Lumen',\n"),
  );
  edit(join(providers, 'registry.ts'), (text) =>
    text
      .replace(/^(import \{ parallel \})/m, "import { lumen } from './lumen/adapter.ts';\n$1")
      .replace('  engine_k: perplexity,\n', '  engine_k: perplexity,\n  engine_l: lumen,\n'),
  );
}

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const started = Bun.spawn([process.execPath, ...args], {
    cwd: copy,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, NO_COLOR: '1' },
  });
  const texts = [new Response(started.stdout).text(), new Response(started.stderr).text()];
  const [code, ...output] = await Promise.all([started.exited, ...texts]);
  return { code, output: output.join('') };
}
