// The program of `npm test -- --suite applications`: the client code of applications and frameworks,
// pinned and installed once into the cache, calls a running gateway.
import { join } from 'node:path';
import { startGateway } from '../harness.ts';
import { installPinned } from '../pinned-packages.ts';
import { preparePython } from '../python/environment.ts';
import { runToEnd } from '../run-to-end.ts';

type Outcomes = Record<string, string>;

const here = import.meta.dir;
const nameColumn = 36;
await using gateway = await startGateway();
const env = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
  ...{
    CREWAI_DISABLE_TELEMETRY: 'true',
    OTEL_SDK_DISABLED: 'true',
    HAYSTACK_TELEMETRY_ENABLED: '',
  },
};

const outcomes: Outcomes = {};
for (const requirements of ['frameworks.txt', 'crewai.txt']) {
  for (const [name, outcome] of Object.entries(await tryPython(requirements))) {
    // One of the environments has the framework; if none has, the reason is reported.
    if (outcomes[name]?.startsWith('left out') !== false) outcomes[name] = outcome;
  }
}
for (const [name, outcome] of Object.entries({ ...outcomes, ...(await tryLibreChat()) })) {
  process.stdout.write(`${name.padEnd(nameColumn)}${outcome}\n`);
  if (outcome.startsWith('FAILED')) process.exitCode = 1;
}

async function tryPython(requirements: string): Promise<Outcomes> {
  const python = await preparePython({ requirements: join(here, requirements) });
  if ('missing' in python) return { [requirements]: `left out: ${python.missing}` };
  return run([python.program, '-W', 'ignore', join(here, 'try_packages.py')]);
}

async function tryLibreChat(): Promise<Outcomes> {
  const packages = await installPinned(here, 'applications');
  if (typeof packages !== 'string') return { LibreChat: `left out: ${packages.missing}` };
  return run(['node', join(here, 'librechat.cjs'), join(packages, 'node_modules')]);
}

async function run(command: readonly string[]): Promise<Outcomes> {
  const { out, err } = await runToEnd([...command, gateway.url, gateway.key], { env });
  const report = out.split('\n').findLast((line) => line.startsWith('{'));
  if (report === undefined) return { [command.join(' ')]: `FAILED: ${err.slice(-400)}` };
  return JSON.parse(report) as Outcomes;
}
