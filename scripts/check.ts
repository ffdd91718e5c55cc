// The program of `npm run check`: lint, types, the tests of pure code and the sizes, for the inner
// loop. `npm test` runs everything.
import { join } from 'node:path';
import { Glob } from 'bun';
import { projectRoot, runCommand } from './command.ts';
import { checkSizes } from './size.ts';

/** On a busy machine everything takes longer, and only what hangs takes as long. */
const limitMs = 10 * 60_000;

/** Tests that need no process, database or network. */
const pureTests = [
  'contract/src/**/*.test.ts',
  'server/src/*/core/*.test.ts',
  'server/src/negotiation/*.test.ts',
  'server/src/providers/**/*.test.ts',
  'server/src/http/routes/compat/*.test.ts',
  'server/test/tidy/*.test.ts',
  'server/test/{tidy,providers,negotiation,nothing-dropped,prices,price-rule,option-prices}.test.ts',
];
const testFiles = pureTests.flatMap((pattern) =>
  [...new Glob(pattern).scanSync({ cwd: projectRoot })].map((path) => `./${path}`),
);

const tool = (name: string) => join(projectRoot, 'node_modules', '.bin', name);
const checks = [
  {
    name: 'lint, types',
    command: tool('oxlint'),
    args: ['--type-aware', '--type-check', '--deny-warnings'],
  },
  {
    name: 'pure tests',
    command: process.execPath,
    args: ['test', `--timeout=${limitMs}`, ...testFiles],
  },
];

const results = await Promise.all(
  checks.map(async ({ name, command, args }) => {
    const { code, output, ms } = await runCommand(command, args, { capture: true, limitMs });
    const state = code === 0 ? 'ok' : 'FAILED';
    process.stdout.write(`${name.padEnd(12)}${state.padEnd(7)}${(ms / 1000).toFixed(1)} s\n`);
    if (code !== 0) process.stdout.write(`${output}\n`);
    return code === 0;
  }),
);
const isSmall = checkSizes((text) => process.stdout.write(text));
process.exitCode = isSmall && results.every(Boolean) ? 0 : 1;
