// The defects that are put into a source, and which tests are chosen for a file.
import { expect, test } from 'bun:test';
import { readProject } from '../../server/test/tidy/source.ts';
import { makeTestChooser } from './choose-tests.ts';
import { applyMutant, mutantsOf } from './mutants.ts';

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
  ["log.warn('x');", []],
  ['type A = true;', []],
  ["const a = 'b' + c;", []],
])('%s', (source, changed) => {
  const mutants = mutantsOf('a.ts', source);
  expect(mutants.map((mutant) => applyMutant(source, mutant))).toEqual(changed);
});

test('the nearest tests come first, then those that start gateways', () => {
  const chosen = makeTestChooser(readProject())('server/src/negotiation/dates.ts');
  expect(chosen[0]).toBe('server/src/negotiation/dates.test.ts');
  expect(chosen).toContain('e2e/scenarios/search-dates.test.ts');
});
