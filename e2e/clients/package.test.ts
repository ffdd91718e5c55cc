// The package as others get it: packed, installed in an empty project, run by Node, typed by tsc.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedGateway } from '../harness.ts';

const ROOT = join(import.meta.dir, '..', '..');
const SET_UP_LIMIT_MS = 120_000;
const gateway = sharedGateway();
let project = '';

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'trivium-package-'));
  const built = join(project, 'built');
  run(process.execPath, [join(ROOT, 'sdk/build/main.ts'), built], ROOT);
  run('npm', ['pack', '--silent', '--pack-destination', project, built], project);
  await writeFile(join(project, 'package.json'), '{"name":"empty","private":true}');
  const packed = [...new Bun.Glob('*.tgz').scanSync({ cwd: project })];
  expect(packed).toHaveLength(1);
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed[0]}`], project);
}, SET_UP_LIMIT_MS);

afterAll(() => rm(project, { recursive: true, force: true }));

function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}) {
  const result = Bun.spawnSync([command, ...args], { cwd, env: { ...process.env, ...env } });
  const output = result.stdout.toString() + result.stderr.toString();
  if (result.exitCode !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  return result.stdout.toString();
}

const program = `
import { createClient, ApiError } from '@trivium/sdk';
const { TRIVIUM_URL: url, TRIVIUM_API_KEY: api_key } = process.env;
const trivium = createClient({ url, api_key });
const { provider, results } = await trivium.search({ query: 'solar energy storage' });
const refused = await trivium.search({ query: '' }).catch((error) => error);
console.log(JSON.stringify([provider, results.length > 0, refused instanceof ApiError]));
`;

test('Node runs the installed package against a gateway', async () => {
  await writeFile(join(project, 'program.mjs'), program);
  const env = { TRIVIUM_URL: gateway().url, TRIVIUM_API_KEY: gateway().key };
  const printed = run('node', ['program.mjs'], project, env);
  expect(JSON.parse(printed)).toEqual(['engine_a', true, true]);
});

test('the installed command searches under Node', () => {
  const env = { TRIVIUM_URL: gateway().url, TRIVIUM_API_KEY: gateway().key };
  const printed = run('npx', ['--no-install', 'trivium', 'search', 'solar'], project, env);
  expect(JSON.parse(printed)).toMatchObject({ provider: 'engine_a' });
});

test('the declarations hold under strict checking without any other package', async () => {
  await writeFile(
    join(project, 'typed.mts'),
    `import { createClient, type SearchResponse } from '@trivium/sdk';
const trivium = createClient({ api_key: 'sk_live_x' });
export const found: Promise<SearchResponse> = trivium.search({ query: 'x', provider: 'fusion' });
export const titles: Promise<(string | null)[]> = found.then((f) => f.results.map((r) => r.title));
// @ts-expect-error an engine that does not exist
void trivium.search({ query: 'x', provider: 'engine_z' });
// @ts-expect-error a parameter that does not exist
void trivium.search({ query: 'x', qery: 1 });
`,
  );
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false'];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
  expect(run('node', [tsc, ...flags, ...target, 'typed.mts'], project)).toBe('');
});

test('the package depends on nothing and ships no test', async () => {
  const folder = join(project, 'node_modules', '@trivium', 'sdk');
  const manifest = (await Bun.file(join(folder, 'package.json')).json()) as object;
  expect(Object.keys(manifest)).not.toContain('dependencies');
  const files = [...new Bun.Glob('**').scanSync({ cwd: folder })];
  expect(files.filter((file) => /test|stand-in/.test(file))).toEqual([]);
});
