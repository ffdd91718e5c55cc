// The files of the project for GitHub and for editors: they parse, and name what exists.
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import manifest from '../package.json' with { type: 'json' };
import { projectRoot } from './command.ts';
import { findProgram } from './programs.mjs';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const exists = (path: string) => existsSync(join(projectRoot, path));

interface Workflow {
  on: object;
  permissions: object;
  jobs: Record<string, Job>;
}

interface Job {
  'timeout-minutes'?: number;
  strategy?: { matrix?: { part?: number[] } };
  steps: { run?: string; uses?: string; with?: Record<string, unknown> }[];
}

describe.each(readdirSync(join(projectRoot, '.github/workflows')))('the workflow %s', (name) => {
  const { on, permissions, jobs } = parse(read(`.github/workflows/${name}`)) as Workflow;

  test('may only read, and has a time limit', () => {
    expect(Object.keys(on)).toContain('pull_request');
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  test('runs commands and reads files that exist', () => {
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    for (const { run = 'npm ci', uses = 'actions/checkout@v5', with: given } of steps) {
      expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
      const [program = '', ...args] = run.split(' ');
      if (program === 'npm')
        expect(['ci', ...Object.keys(manifest.scripts)]).toContain(args.at(-1) ?? '');
      else expect(exists(program)).toBe(true);
      const file = given?.['node-version-file'];
      if (typeof file === 'string') expect(exists(file)).toBe(true);
    }
  });

  test('runs every part of the tests', () => {
    const { strategy, steps } = jobs['test'] ?? { steps: [] };
    const parts = strategy?.matrix?.part ?? [];
    expect(parts).toEqual(Array.from({ length: parts.length }, (_, at) => at + 1));
    const runs = steps.flatMap(({ run = '' }) => (run.startsWith('.ci/run') ? [run] : []));
    expect(runs).toEqual([`.ci/run --shard \${{ matrix.part }}/${parts.length}`]);
  });
});

test('dependency updates name folders with dependencies', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directory?: string; directories?: string[] }[];
  };
  const manifests: Record<string, string[]> = {
    npm: ['package.json'],
    pip: ['pyproject.toml', 'requirements.txt'],
    'github-actions': ['.github/workflows'],
  };
  for (const { 'package-ecosystem': ecosystem, directory, directories } of updates) {
    for (const folder of [...(directories ?? []), ...(directory ? [directory] : [])]) {
      const found = manifests[ecosystem]?.some((file) => exists(join(folder, file)));
      expect([ecosystem, folder, found]).toEqual([ecosystem, folder, true]);
    }
  }
});

test('issue forms have a name, a description and questions', () => {
  const forms = readdirSync(join(projectRoot, '.github/ISSUE_TEMPLATE')).filter(
    (name) => name !== 'config.yml',
  );
  expect(forms.length).toBeGreaterThan(1);
  for (const name of forms) {
    expect(parse(read(`.github/ISSUE_TEMPLATE/${name}`))).toMatchObject({
      name: expect.any(String),
      description: expect.any(String),
      body: expect.arrayContaining([expect.objectContaining({ type: 'textarea' })]),
    });
  }
});

test('the list of code owners names only paths that exist', () => {
  const lines = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => /^[*/]/.test(line));
  const paths = lines.map((line) => line.split(/\s+/)[0] ?? '');
  expect(paths.filter((path) => path !== '*' && !exists(path))).toEqual([]);
});

test('the version of Node.js for contributors is one that the project supports', () => {
  const oldest = Number(/\d+/.exec(manifest.engines.node)?.[0]);
  expect(Number(read('.nvmrc'))).toBeGreaterThanOrEqual(oldest);
});

test('every file names the version of the last release, and a state after it is a -dev version', () => {
  const { version } = manifest;
  const lock = JSON.parse(read('package-lock.json')) as {
    version: string;
    packages: Record<string, { version?: string }>;
  };
  expect([lock.version, lock.packages['']?.version]).toEqual([version, version]);
  const [, newest = ''] = /^## \[([^\]]+)\]/m.exec(read('CHANGELOG.md')) ?? [];
  const [, released = ''] = /^## \[(\d[^\]]*)\] - /m.exec(read('CHANGELOG.md')) ?? [];
  const next = released.replace(/\d+$/, (patch) => `${Number(patch) + 1}-dev`);
  expect(version).toBe(newest === 'Unreleased' ? next : released);
  const named = [...read('docs/deployment.md').matchAll(/\btrivium[-:](\d+\.\d+\.\d+)/g)];
  expect(new Set(named.map(([, found]) => found))).toEqual(new Set([released]));
  expect(read('docs/upgrading.md')).toContain(`\n### ${released}\n`);
});

test('each program that a package script starts by name exists', () => {
  const groups = Object.entries(manifest.scripts).flatMap(
    ([, command]) => /run\.mjs --no-env-file ([a-z]+)$/.exec(command)?.[1] ?? [],
  );
  expect(groups.length).toBeGreaterThan(4);
  for (const group of groups) {
    const given = group === 'test' ? ['--suite', 'nothing'] : ['nothing'];
    const error = findProgram([group, ...given])?.error;
    const names = /Use (.*)\./.exec(error ?? '')?.[1]?.split(', ') ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const named = group === 'test' ? ['--suite', name] : [name];
      const [file = ''] = findProgram([group, ...named, '--any'])?.command ?? [];
      expect([name, exists(file)]).toEqual([name, true]);
    }
    expect(findProgram([group, '--any'])?.command).toEqual(expect.arrayContaining(['--any']));
  }
});

test('an inherited name is no group and no program', () => {
  expect(findProgram(['constructor'])).toBeUndefined();
  expect(findProgram(['bench', 'constructor'])).toEqual({ error: expect.any(String) });
});
