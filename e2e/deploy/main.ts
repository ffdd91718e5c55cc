// The program of `npm test -- --suite deploy`: builds Compose, Helm and Caddy from their Go modules, once, and runs
// the tests of the files to deploy with.
import { join } from 'node:path';
import { projectRoot } from '../../scripts/command.ts';
import { buildTools } from './deploy-tools.ts';

await buildTools((line) => process.stdout.write(`${line}\n`));
const tests = Bun.spawn(
  [process.execPath, '--no-env-file', join(projectRoot, 'scripts', 'test.ts'), 'e2e/deploy'],
  { cwd: projectRoot, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' },
);
process.exitCode = await tests.exited;
