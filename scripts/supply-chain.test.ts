// Dependencies: the bill of materials is complete, every licence is accepted, and no file names a
// package registry.
import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { readPackages } from './sbom.ts';
import type { Bill } from './sbom.ts';

const root = join(import.meta.dir, '..');

/** Permissive licences that require at most attribution; OFL-1.1 is for typefaces. */
const acceptedLicences = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
];

interface Manifest {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
}

/** Found as the runtime resolves them, in node_modules and not in the lock file. */
function installedForProduction(): Map<string, Manifest> {
  const found = new Map<string, Manifest>();
  const waiting = ['', ...manifest.workspaces].map((folder) => join(root, folder));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    const place = relative(root, folder);
    if (found.has(place)) continue;
    found.set(place, manifest);
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (!name.startsWith('@trivium/')) waiting.push(folderOf(name, folder));
    }
  }
  return found;
}

function folderOf(name: string, from: string): string {
  for (let at = from; at.length >= root.length; at = join(at, '..')) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error(`${name}, which ${from} needs, is not installed.`);
}

/** Packages that the sources load when they run; types are gone by then. */
function loadedBy(folder: string): string[] {
  const sources = [...new Bun.Glob('**/*.{ts,tsx}').scanSync({ cwd: join(root, folder) })];
  return sources
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(join(root, folder, path), 'utf8').matchAll(loading)])
    .map(([, first = '', second = first]) => second)
    .filter((name) => !/^(?:node:|bun\b|@trivium\/)/.test(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
}

const loading =
  /^(?:import|export) (?!type\b)[^;']*?from '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gm;

test('an install without development dependencies has every package that the sources load', () => {
  const shipped = new Set([...installedForProduction().values()].map(({ name }) => name));
  const loaded = manifest.workspaces.flatMap((workspace) => loadedBy(`${workspace}/src`));
  expect(loaded).toContain('string-width');
  expect(loaded).toContain('pino');
  expect(loaded.filter((name) => !shipped.has(name))).toEqual([]);
});

test('npm run release -- sbom prints a CycloneDX bill of all runtime packages', () => {
  const { stdout } = Bun.spawnSync(['npm', 'run', '--silent', 'release', '--', 'sbom'], {
    cwd: root,
  });
  const bill = JSON.parse(stdout.toString()) as Bill;
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  const everything = [bill.metadata.component, ...bill.components];
  const listed = new Set(everything.map(({ name, version }) => `${name}@${version}`));
  const installed = [...installedForProduction().values()];
  expect(installed.length).toBeGreaterThan(manifest.workspaces.length);
  const missing = installed.filter(({ name, version }) => !listed.has(`${name}@${version}`));
  expect(missing).toEqual([]);
  // Development dependencies are not shipped.
  for (const name of ['typescript', 'fast-check', 'oxlint']) {
    expect(everything.map((component) => component.name)).not.toContain(name);
  }
});

test('the bill has the licence, digest and dependencies of each component', () => {
  const { stdout } = Bun.spawnSync(['npm', 'run', '--silent', 'release', '--', 'sbom'], {
    cwd: root,
  });
  const { metadata, components, dependencies } = JSON.parse(stdout.toString()) as Bill;
  const refs = new Set([metadata.component, ...components].map((one) => one['bom-ref']));
  expect(refs.size).toBe(components.length + 1);
  const ours = (name: string) => name.startsWith('@trivium/');
  for (const { name, licenses, hashes, purl } of components) {
    expect([name, licenses.length]).toEqual([name, 1]);
    expect(purl).toMatch(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d/);
    if (!ours(name))
      expect(hashes?.[0]).toMatchObject({ content: expect.stringMatching(/^\w{40,}$/) });
  }
  expect(new Set(dependencies.map(({ ref }) => ref))).toEqual(refs);
  for (const { dependsOn } of dependencies)
    for (const ref of dependsOn) expect(refs).toContain(ref);
  const server = dependencies.find(({ ref }) => ref.includes('%40trivium/server@'));
  expect(server?.dependsOn.join()).toContain('pkg:npm/pino@');
});

test('every runtime package has an accepted licence', () => {
  const locked = Object.entries(readPackages()).filter(([, { dev, link }]) => !dev && !link);
  const licences = [
    ...locked.map(([path, { license }]) => ({ path, license })),
    ...[...installedForProduction()].map(([path, { license }]) => ({ path, license })),
  ].filter(({ path }) => path.includes('node_modules/'));
  expect(licences.length).toBeGreaterThan(manifest.workspaces.length);
  const refused = licences.filter(({ license }) => !acceptedLicences.includes(license ?? 'none'));
  expect(refused).toEqual([]);
});

/** Split into parts, so that this file does not name them either. */
const registryHosts = [
  ['npmjs', 'org'],
  ['npmjs', 'com'],
  ['yarnpkg', 'com'],
  ['npmmirror', 'com'],
  ['npm', 'pkg', 'github', 'com'],
  ['jsr', 'io'],
  ['pypi', 'org'],
  ['pythonhosted', 'org'],
  ['crates', 'io'],
  ['rubygems', 'org'],
  ['ghcr', 'io'],
  ['docker', 'io'],
  ['quay', 'io'],
  ['gcr', 'io'],
].map((parts) => parts.join('.'));

/** Hosts of registry software under any domain; `.example` is reserved and never resolves. */
const registryAddress =
  /\bhttps?:\/\/[\w.-]*\b(?:registry|npm|artifactory|nexus|verdaccio)[\w-]*\.(?!example\b)[\w.-]+/i;

const notOurs = new Set(['node_modules', '.git', '.trivium', 'dist', 'test-results']);

function* filesUnder(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (notOurs.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile()) yield path;
  }
}

function registriesIn(text: string): string[] {
  const named = registryHosts.filter((host) => text.includes(host));
  return [...named, ...(registryAddress.exec(text) ?? [])];
}

test('no file names the host of a package registry', () => {
  const named = [...filesUnder(root)].flatMap((path) =>
    registriesIn(readFileSync(path, 'utf8')).map((host) => `${relative(root, path)}: ${host}`),
  );
  expect(named).toEqual([]);
});

test('the search for registries finds one', () => {
  const [host = ''] = registryHosts;
  const mirror = ['https://npm', 'mirror-of-a-company', 'net/'].join('.');
  for (const text of [`"resolved": "https://registry.${host}/zod"`, mirror]) {
    expect(registriesIn(text)).not.toEqual([]);
  }
  expect(registriesIn('https://registry.example/companies')).toEqual([]);
});

test('the lock file pins digests and names no download host', () => {
  const foreign = Object.entries(readPackages()).filter(([path]) => path.includes('node_modules/'));
  const vague = foreign.filter(([, { integrity, link }]) => !link && integrity === undefined);
  expect(vague).toEqual([]);
  const origins = foreign.filter(([, locked]) => /:/.test(String(Object(locked).resolved ?? '')));
  expect(origins).toEqual([]);
});
