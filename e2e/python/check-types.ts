// Checks the types of the Python client, its tests and a program that uses it, with mypy and pyright.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../../scripts/command.ts';
import { keptBuild } from '../kept-build.ts';
import { runToEnd } from '../run-to-end.ts';
import type { Ended } from '../run-to-end.ts';
import { sharedCache } from '../test-cache.ts';
import { keepCompiled } from './environment.ts';
import { type PackedClient, pythonFolder } from './packed-client.ts';

/** What the check of the types depends on, besides the packages and the interpreter. */
const typeSources = [
  'python/pyproject.toml',
  'python/src/**/*.{py,typed}',
  'python/tests/**/*.{py,txt}',
  'node_modules/pyright/package.json',
  'e2e/python/check-types.ts',
];

const tests = join(pythonFolder, 'tests');

/** The same sources have the same types, so a check that found no error is kept for the next run. */
export async function checkTypesOnce(tools: string, client: PackedClient): Promise<Ended[]> {
  let found: Ended[] | undefined;
  const file = 'checks.json';
  // The name of the environment contains a digest of its packages and of the interpreter.
  const name = `types-of-${basename(dirname(dirname(tools)))}`;
  try {
    const check = async (folder: string) => {
      found = await checkTypes(tools, client);
      if (found.some(({ code }) => code !== 0)) throw new Error('Errors are not kept.');
      writeFileSync(join(folder, file), JSON.stringify(found));
    };
    const kept = await keptBuild(name, typeSources, check, sharedCache);
    return found ?? (JSON.parse(readFileSync(join(kept, file), 'utf8')) as Ended[]);
  } catch (error) {
    if (found === undefined) throw error;
    return found;
  }
}

/** The package and its tests, and a program that uses the installed package. */
async function checkTypes(tools: string, { folder, fresh }: PackedClient) {
  const config = ['--config-file', join(pythonFolder, 'pyproject.toml')];
  // The mypy cache is kept for the next run.
  const cache = ['--cache-dir', `${dirname(dirname(tools))}-types`];
  const check = (rest: string[], path: string) => {
    return runToEnd([tools, ...keepCompiled, '-m', 'mypy', ...config, ...cache, ...rest], {
      cwd: folder,
      env: { PATH: process.env['PATH'], MYPYPATH: path },
    });
  };
  const sources = join(pythonFolder, 'src');
  const pyright = join(projectRoot, 'node_modules', 'pyright', 'index.js');
  const project = ['--project', join(pythonFolder, 'pyproject.toml'), '--pythonpath', tools];
  return [
    await check(['--python-executable', fresh, join(tests, 'typed_usage.py')], ''),
    await check([join(sources, 'trivium_client'), tests], `${sources}:${tests}`),
    await runToEnd(['node', pyright, ...project], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
    }),
  ];
}
