// The defects that are put into a source.
import { expect, test } from 'bun:test';
import { applyMutant, readSource } from './mutants.ts';

test.each([
  [
    'if (a < b) go();',
    ['if (false) go();', 'if (true) go();', 'if ((a <= b)) go();', 'if (a < b) ;'],
  ],
  ['const a = !b && c;', ['const a = (!b || c);', 'const a = (b) && c;']],
  ['const a = b ? 1 : 10;', ['const a = !(b) ? 1 : 10;', 'const a = b ? 1 : (2 * 10);']],
  ['await save(true);', [';', 'await save(false);']],
  ["run('delete from a where b <= $1');", [';', "run('delete from a where b < $1');"]],
  [
    'const t = `select ${a < 1} from b where c is null`;',
    [
      'const t = `select ${a < 1} from b where c is not null`;',
      'const t = `select ${(a <= 1)} from b where c is null`;',
    ],
  ],
  ['const t = `delete from a where b = ${c}`;', ['const t = `delete from a where b <> ${c}`;']],
  ["log.warn('x');", []],
  ["if (a) { context.log?.warn('x'); }", []],
  ['type A = true;', []],
  ["const a = 'b' + c;", []],
])('%s', (source, changed) => {
  const { mutants } = readSource('a.ts', source);
  expect(mutants.map((mutant) => applyMutant(source, mutant))).toEqual(changed);
});

test('each block says that it was entered, and each mutant names its block', () => {
  const { mutants, instrumented } = readSource('a.ts', 'f(() => a < 1, () => { go(); });', 'hits');
  expect(instrumented).toBe(
    'import{hit as __hit}from"hits";__hit("a.ts#0");' +
      'f(() => (__hit("a.ts#1"),a < 1), () => {__hit("a.ts#2"); go(); });',
  );
  expect(mutants.map(({ block }) => block)).toEqual(['a.ts#0', 'a.ts#1', 'a.ts#2']);
});
