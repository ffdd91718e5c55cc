// The steps of a payment in README.md name files and functions that exist.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dir;
const readme = readFileSync(join(here, 'README.md'), 'utf8');
const steps = [...readme.matchAll(/`([\w/-]+\.ts)`: ((?:`\w+`(?:, )?)+)/g)].flatMap(
  ([, file = '', names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ file, name })),
);

test('the README names the functions of every step', () => {
  expect(steps.length).toBeGreaterThan(15);
});

test.each(steps)('$file has $name', ({ file, name }) => {
  // A file of billing, or of another module.
  const path = [join(here, file), join(here, '..', file)].find((one) => existsSync(one)) ?? file;
  expect(existsSync(path)).toBe(true);
  // A function, or an operation of the ledger.
  const definition = new RegExp(`function ${name}\\(|^  ${name}: \\(`, 'm');
  expect(readFileSync(path, 'utf8')).toMatch(definition);
});
