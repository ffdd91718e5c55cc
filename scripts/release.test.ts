// The release command in a repository of its own: what it refuses, what it plans, what it writes.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { projectRoot } from './command.ts';

const { version } = manifest;
let repository = '';

/** Replaces the builds, which have their own tests: writes one file into `--out`. */
const buildScript = `
const { mkdirSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const name = { npm: 'trivium.tgz', python: 'trivium.whl' }[args[0]] ?? 'trivium';
const out = args[args.indexOf('--out') + 1];
mkdirSync(out, { recursive: true });
writeFileSync(out + '/' + name, name);
`;

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'trivium-release-'));
  for (const name of ['scripts/release.ts', 'scripts/command.ts', 'scripts/sbom.ts']) bring(name);
  for (const name of ['package-lock.json', '.gitignore']) bring(name);
  writeFileSync(join(repository, 'CHANGELOG.md'), changelogOf(version, '- Something.'));
  writeFileSync(join(repository, 'build.cjs'), buildScript);
  const scripts = {
    test: 'node -e 0',
    bench: 'node -e 0',
    build: 'node build.cjs',
  };
  writeFileSync(join(repository, 'package.json'), JSON.stringify({ ...manifest, scripts }));
  git('init', '--quiet');
  commit();
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

function changelogOf(first: string, changes: string): string {
  return `# Changelog\n\n## [${first}] - 2026-11-16\n\n${changes}\n\n## [0.0.1]\n\n- Before.\n`;
}

function bring(name: string): void {
  cpSync(join(projectRoot, name), join(repository, name));
}

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Release', '-c', 'user.email=release@trivium.example'];
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...identity, ...args], {
    cwd: repository,
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}

function commit(): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'chore: a state to release');
}

function release(...args: string[]) {
  const identity = { GIT_COMMITTER_NAME: 'Release', GIT_COMMITTER_EMAIL: 'r@trivium.example' };
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, join(repository, 'scripts', 'release.ts'), ...args],
    { cwd: repository, env: { ...process.env, ...identity } },
  );
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
}

test('a dry run says what it would do, and does nothing', () => {
  const { code, out } = release('--dry-run');
  expect([code, out]).toEqual([0, expect.stringContaining(`${version} can be released.`)]);
  for (const step of [
    'npm test',
    'bench -- guard',
    'executables',
    'npm packages',
    'wheel',
    'checksums',
    `v${version}`,
  ]) {
    expect(out).toContain(step);
  }
  expect(git('tag', '--list')).toBe('');
  expect(readdirSync(repository)).not.toContain('dist');
});

test('a dirty tree and a changelog without the version are both reported in one run', () => {
  const path = join(repository, 'CHANGELOG.md');
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, changelogOf('Unreleased', '- Something.'));
  const { code, err } = release('--dry-run');
  expect(code).toBe(1);
  expect(err).toContain('the working tree has changes');
  expect(err).toContain(`must begin with ## [${version}], not Unreleased`);
  writeFileSync(path, changelogOf(version, ''));
  expect(release('--dry-run').err).toContain(`CHANGELOG.md says nothing about ${version}`);
  writeFileSync(path, before);
});

test('a release writes packages, bill and checksums, and tags the commit once', () => {
  expect(release('--target', 'linux-x64')).toMatchObject({ code: 0, err: expect.any(String) });
  const folder = join(repository, 'dist', 'release');
  const bill = `trivium-${version}.cdx.json`;
  expect(readdirSync(folder).toSorted()).toEqual(
    ['SHA256SUMS', bill, 'trivium', 'trivium.tgz', 'trivium.whl'].toSorted(),
  );
  expect(JSON.parse(readFileSync(join(folder, bill), 'utf8'))).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'trivium', version } },
  });
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
  expect(sums.map((line) => line.slice(66))).toEqual([
    'trivium',
    bill,
    'trivium.tgz',
    'trivium.whl',
  ]);
  const digest = new Bun.CryptoHasher('sha256').update('trivium').digest('hex');
  expect(sums[0]).toBe(`${digest}  trivium`);
  expect(git('tag', '--list').trim()).toBe(`v${version}`);
  expect(git('rev-list', '-n', '1', `v${version}`)).toBe(git('rev-parse', 'HEAD'));
  expect(release('--dry-run')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`the tag v${version} exists`),
  });
});

test('checks that fail end the release before anything is tagged', () => {
  git('tag', '--delete', `v${version}`);
  const path = join(repository, 'package.json');
  const { scripts, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as typeof manifest;
  writeFileSync(path, JSON.stringify({ ...rest, scripts: { ...scripts, test: 'exit 3' } }));
  commit();
  const { code, err } = release();
  expect([code, err]).toEqual([1, expect.stringContaining('nothing was tagged')]);
  expect(git('tag', '--list')).toBe('');
});
