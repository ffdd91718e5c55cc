// Every package we depend on is used by the workspace that names it, and reviewed in the docs.
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

const root = join(import.meta.dir, '..', '..');
const { workspaces } = manifest;
const ours = '@trivium/';

function dependenciesOf(folder: string): string[] {
  const text = readFileSync(join(root, folder, 'package.json'), 'utf8');
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
  return Object.keys(dependencies);
}

function sourceOf(folder: string): string {
  const src = join(root, folder, 'src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => readFileSync(join(src, name), 'utf8'))
    .join('\n');
}

test.each(workspaces)('%s uses every package it depends on', (folder) => {
  const source = sourceOf(folder);
  const uses = (name: string) => source.includes(`'${name}'`) || source.includes(`'${name}/`);
  expect(dependenciesOf(folder).filter((name) => !uses(name))).toEqual([]);
});

test('every package that runs is reviewed in the decisions', () => {
  const decisions = readFileSync(join(root, 'maintainers', 'decisions.md'), 'utf8');
  const names = ['', ...workspaces].flatMap(dependenciesOf);
  const foreign = names.filter((name) => !name.startsWith(ours));
  expect(foreign.filter((name) => !decisions.includes(`\`${name}\``))).toEqual([]);
});
