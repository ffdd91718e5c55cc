// The Python client from its wheel: its own tests against a gateway, its types, and its programs in
// the documentation. Reported as left out without Python.
import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createAdminClient } from '@trivium/sdk';
import { projectRoot } from '../../scripts/command.ts';
import { blocksOf, patternOf } from '../docs/blocks.ts';
import type { Block } from '../docs/blocks.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { testWhere } from '../leave-out.ts';
import { checkTypesOnce } from '../python/check-types.ts';
import { keepCompiled, preparePython } from '../python/environment.ts';
import { packPythonClient, pythonFolder, pythonPins } from '../python/packed-client.ts';
import type { PackedClient } from '../python/packed-client.ts';
import { runPrograms } from '../python/programs.ts';
import { makeWav } from '../uploads/recordings.ts';
import { runToEnd } from '../run-to-end.ts';
import type { Ended } from '../run-to-end.ts';

type Case = { name: string; outcome: string; text: string };

const minorVersion = 10;
const talkBytes = 32_044;
const adminToken = 'operator-token-of-the-python-tests';
const tests = join(pythonFolder, 'tests');

/** The programs of examples/ that are in Python; the others are run in package.test.ts. */
const examples = [
  exampleOf('research/research.py', '[2] https://'),
  exampleOf('team-budgets/budgets.py', 'support was refused: '),
];

// The first installation takes minutes, more than a test may, so it runs before the tests.
const python = await preparePython({ requirements: pythonPins, minorVersion });
const packed = 'missing' in python ? python : await packPythonClient(python.program);

if ('missing' in packed || 'missing' in python) {
  const missing = 'missing' in packed ? packed.missing : '';
  testWhere(missing)('the Python client', () => {});
} else {
  afterAll(packed.remove);
  await tryClient(python.program, packed);
}

async function tryClient(tools: string, client: PackedClient): Promise<void> {
  await using gateway = await startGateway({ env: { TRIVIUM_ADMIN_TOKEN: adminToken } });
  const base = {
    PATH: process.env['PATH'],
    HOME: client.folder,
    NO_PROXY: '127.0.0.1',
    TRIVIUM_ADMIN_TOKEN: adminToken,
    TRIVIUM_URL: gateway.url,
  };
  const env = { ...base, TRIVIUM_API_KEY: gateway.key };
  const withTools = { ...env, PYTHONPATH: client.target };
  // The tests compare balances, so nothing else may be charged to their account.
  const envOfCases = { ...withTools, TRIVIUM_API_KEY: await keyOfOwnAccount(gateway) };
  const [cases, tour, types, programs] = await Promise.all([
    runCases(tools, client, envOfCases),
    runToEnd([client.fresh, ...keepCompiled, join(tests, 'tour.py')], { cwd: client.folder, env }),
    checkTypesOnce(tools, client),
    runBlocks(tools, client, withTools),
  ]);
  declareCases(cases);
  declareTour(tour);
  declareTypes(types);
  declarePrograms(programs);
  await declarePackage(tools, client);
}

async function keyOfOwnAccount({ url }: Gateway): Promise<string> {
  const admin = createAdminClient({ url, admin_token: adminToken });
  const { id } = await admin.accounts.create({ name: 'Python tests' });
  await admin.accounts.topUp(id, { amount_usd: 10, reason: 'tests' });
  const { key } = await admin.keys.create(id, { name: 'Python tests' });
  return key;
}

async function runCases(
  tools: string,
  { folder }: PackedClient,
  env: Record<string, string | undefined>,
): Promise<Case[]> {
  const report = join(folder, 'report.jsonl');
  const options = ['-c', join(pythonFolder, 'pyproject.toml'), '-q', '--tb=short'];
  const { code, out, err } = await runToEnd(
    [tools, ...keepCompiled, '-m', 'pytest', ...options, tests],
    {
      cwd: folder,
      // The packages bring plug-ins of pytest, which take seconds to load.
      env: { ...env, TRIVIUM_TEST_REPORT: report, PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' },
    },
  );
  // 1 means that tests failed, and each is reported below; another code means that none ran.
  if (code > 1) throw new Error(`pytest ended with ${code}:\n${out}${err}`);
  const lines = readFileSync(report, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Case);
}

/** One test for each pytest function, with any number of parameters. */
function declareCases(cases: readonly Case[]): void {
  const functions = Map.groupBy(cases, ({ name }) => name.replace(/\[.*/s, ''));
  for (const [name, runs] of functions) {
    test(`python: ${name}`, () => {
      const faults = runs.filter(({ outcome }) => outcome !== 'passed');
      expect(faults.map((one) => `${one.name} ${one.outcome}\n${one.text}`)).toEqual([]);
    });
  }
  test('every file of the Python tests was run', () => {
    const files = new Set(cases.map(({ name }) => basename(name.split('::')[0] ?? '')));
    const there = [...new Bun.Glob('test_*.py').scanSync({ cwd: tests })];
    expect([...files].sort()).toEqual(there.sort());
  });
}

function declareTour({ code, out, err }: { code: number; out: string; err: string }): void {
  test('the installed wheel runs with only its declared dependencies', async () => {
    expect([code, err]).toEqual([0, '']);
    const manifest = (await Bun.file(join(projectRoot, 'package.json')).json()) as {
      version: string;
    };
    expect(JSON.parse(out)).toEqual({
      sync: {
        provider: 'engine_a',
        warned: ['offset'],
        pages: 1,
        subtitled: true,
        spent: true,
        providers: 14,
        refused: [400, 'invalid_request'],
      },
      async: true,
      version: manifest.version.replace('-dev', '.dev0'),
      packaged: manifest.version.replace('-dev', '.dev0'),
      extras: ['langchain', 'llamaindex'].map(
        (name) => `Install trivium-client[${name}] to use these tools.`,
      ),
      installed: expect.not.arrayContaining(['langchain-core', 'llama-index-core', 'pytest']),
    });
  });
}

function declareTypes(checks: readonly Ended[]): void {
  const names = [
    'mypy finds no error in a program that uses it',
    'mypy finds no error in the package and its tests',
    'pyright finds no error in the package and a program that uses it',
  ];
  for (const [index, { code, out, err }] of checks.entries()) {
    test(names[index] ?? '', () => {
      expect([code, out + err]).toEqual([0, expect.stringMatching(/^(?:Success|0 errors)/m)]);
    });
  }
}

type Program = { block: Block; code: number; output: string };

/** The Python blocks of the documentation and of the package's README. */
async function runBlocks(
  tools: string,
  { folder }: PackedClient,
  env: Record<string, string | undefined>,
): Promise<Program[]> {
  const docs = readdirSync(join(projectRoot, 'docs')).filter((name) => name.endsWith('.md'));
  const pages = [...docs.map((name) => `docs/${name}`), 'python/README.md'];
  const programs = pages
    .flatMap((page) => blocksOf(page, readFileSync(join(projectRoot, page), 'utf8')))
    .filter(({ language }) => language === 'python')
    .concat(examples)
    .map((block, index) => ({ block, path: join(folder, `block-${index}.py`) }));
  for (const { block, path } of programs) writeFileSync(path, block.code);
  writeFileSync(join(folder, 'talk.wav'), makeWav(talkBytes));
  const paths = programs.map(({ path }) => path);
  const ended = await runPrograms(tools, paths, {
    cwd: folder,
    // A program finds talk.wav where the pages put it.
    env: { ...env, TMPDIR: folder },
  });
  return programs.map(({ block }, index) => {
    const { code = -1, out = '', err = 'It was not run.' } = ended[index] ?? {};
    return { block, code, output: out + err };
  });
}

function exampleOf(name: string, expected: string): Block {
  const page = `examples/${name}`;
  const code = readFileSync(join(projectRoot, page), 'utf8');
  return { page, line: 1, language: 'python', code, expect: expected, fails: false, live: false };
}

function declarePrograms(programs: readonly Program[]): void {
  test('the documentation has programs in Python', () => {
    expect(programs.length).toBeGreaterThan(5);
  });
  for (const { block, code, output } of programs) {
    test(`${block.page}:${block.line} prints its expected output`, () => {
      expect(block.expect, 'a block states its expected output').toBeDefined();
      expect(output).toMatch(patternOf(block.expect ?? ''));
      expect(code === 0).toBe(!block.fails);
    });
  }
}

async function declarePackage(tools: string, { wheel, folder }: PackedClient): Promise<void> {
  const listing = ['-m', 'zipfile', '--list', wheel];
  const { out } = await runToEnd([tools, ...listing], { cwd: folder, env: {} });
  const files = out.split('\n').map((line) => line.split(/\s/)[0] ?? '');

  test('the wheel contains the package, its types and its licence, but no tests', () => {
    expect(files).toContain('trivium_client/py.typed');
    expect(files).toContain('trivium_client/langchain.py');
    expect(files.filter((name) => name.endsWith('/licenses/LICENSE'))).toHaveLength(1);
    const licence = (folder: string) => readFileSync(join(folder, 'LICENSE'), 'utf8');
    expect(licence(pythonFolder)).toBe(licence(projectRoot));
    expect(files.filter((name) => /test|hostile|tour|build_hooks/.test(name))).toEqual([]);
  });

  test('the wheel states where its sources are', async () => {
    const metadata = files.find((name) => name.endsWith('/METADATA')) ?? '';
    const read =
      'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())';
    const asked = [tools, '-c', read, wheel, metadata];
    const { out: text } = await runToEnd(asked, { cwd: folder, env: {} });
    expect(text).toContain('Project-URL: Homepage, https://forge.example/trivium\n');
  });
}
