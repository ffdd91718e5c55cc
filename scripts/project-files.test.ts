// The files of the project for GitHub and for editors: they parse, and name what exists.
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { shells } from '../cli/src/completion.ts';
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
  strategy?: { matrix?: { part?: number[]; command?: string[] } };
  steps: { run?: string; uses?: string; with?: Record<string, unknown> }[];
}

const readWorkflow = (name: string) => parse(read(`.github/workflows/${name}`)) as Workflow;

describe.each(readdirSync(join(projectRoot, '.github/workflows')))('the workflow %s', (name) => {
  const { on, permissions, jobs } = readWorkflow(name);

  test('may only read, and has a time limit', () => {
    expect(Object.keys(on)).toContain(name === 'test.yaml' ? 'pull_request' : 'schedule');
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
      else if (program !== 'sudo') expect(exists(program)).toBe(true);
      const file = given?.['node-version-file'];
      if (typeof file === 'string') expect(exists(file)).toBe(true);
    }
  });
});

test('the tests of a change run every part', () => {
  const { strategy, steps } = readWorkflow('test.yaml').jobs['test'] ?? { steps: [] };
  const parts = strategy?.matrix?.part ?? [];
  expect(parts).toEqual(Array.from({ length: parts.length }, (_, at) => at + 1));
  const runs = steps.flatMap(({ run = '' }) => (run.startsWith('.ci/run') ? [run] : []));
  expect(runs).toEqual([`.ci/run --shard \${{ matrix.part }}/${parts.length}`]);
});

describe('every night', () => {
  const { strategy, steps } = readWorkflow('nightly.yaml').jobs['nightly'] ?? { steps: [] };
  const commands = strategy?.matrix?.command ?? [];

  test('every suite and every simulation runs, and nothing is left out', () => {
    expect(steps.at(-1)?.run).toBe('.ci/complete ${{ matrix.command }}');
    const all = commands.map((command) =>
      command.replaceAll(/ --(?:seeds?|sample|from) .*| \.$/g, ''),
    );
    const suites = programsOf('test').filter((name) => name !== 'all');
    const names = programsOf('simulate').flatMap((name) =>
      ['', ' --shared'].map((end) => name + end),
    );
    expect(all.toSorted()).toEqual(
      [
        'sudo -E env "PATH=$PATH" .ci/run',
        ...suites.map((name) => `npm test -- --suite ${name}`),
        ...names.map((name) => `npm run simulate -- ${name}`.replace(' world', '')),
      ].toSorted(),
    );
  });

  test('every program that tests look for is installed', () => {
    const found = [...new Bun.Glob('e2e/**/*.ts').scanSync({ cwd: projectRoot })]
      .flatMap((path) => [...read(path).matchAll(/(?:Bun\.which|missingProgram)\('([\w-]+)'/g)])
      .map(([, program = '']) => program);
    const apt = steps.flatMap(({ run = '' }) => run.split(' install ')[1]?.split(' ') ?? []);
    const actions = steps.flatMap(({ uses = '' }) => /setup-(\w+)/.exec(uses)?.[1] ?? []);
    const names: Record<string, string> = { python3: 'python', nginx: 'nginx-light' };
    const installed = new Set([...apt, ...actions, ...ofTheRunner]);
    expect(found.length).toBeGreaterThan(8);
    const missing = [...found, ...shells].filter((name) => !installed.has(names[name] ?? name));
    expect(missing).toEqual([]);
  });
});

/** What the image of the runner has. */
const ofTheRunner = ['bash', 'cargo', 'docker', 'mvn', 'systemd-analyze'];

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
    const names = programsOf(group);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const named = group === 'test' ? ['--suite', name] : [name];
      const [file = ''] = findProgram([group, ...named, '--any'])?.command ?? [];
      expect([name, exists(file)]).toEqual([name, true]);
    }
    expect(findProgram([group, '--any'])?.command).toEqual(expect.arrayContaining(['--any']));
  }
});

/** As the error for an unknown name lists them. */
function programsOf(group: string): string[] {
  const error = findProgram([group, ...(group === 'test' ? ['--suite'] : []), 'nothing'])?.error;
  return /Use (.*)\./.exec(error ?? '')?.[1]?.split(', ') ?? [];
}

test('an inherited name is no group and no program', () => {
  expect(findProgram(['constructor'])).toBeUndefined();
  expect(findProgram(['bench', 'constructor'])).toEqual({ error: expect.any(String) });
});
