// Compares a search of this working tree with one of another commit, both in this process, in slices of a
// few milliseconds that alternate: `npm run bench -- slices [commit] [pairs] [connections]`. The machine is
// in the same state for both, so a difference of 1 % can be seen where `guard` sees 10 %. Requests and
// answers of the provider are objects in memory: listening, sockets and the HTTP client do not count.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { startGateway as Start } from '../server/src/app/start.ts';
import type { machine as Machine } from '../server/src/platform/machine.ts';
import type { providers as Providers } from '../server/src/providers/registry.ts';
import type { readSettings as ReadSettings } from '../server/src/settings/settings.ts';
import { makeReleasedVersion, releasedCommit } from '../e2e/released-version.ts';
import { startProgram } from './overhead/program.ts';

const [commit = releasedCommit, pairs = '100', connections = '32'] = process.argv.slice(2);
const size = Number(connections) === 1 ? 100 : 300;
const warmUp = 12_000;
/** The store books what a slice has paid before the next one begins. */
const restMs = 120;
const key = `sk_live_${'i'.repeat(43)}`;
const body = JSON.stringify({ query: 'solar energy storage', provider: 'engine_a' });

const upstream = await startProgram({
  command: [process.execPath, join(import.meta.dir, 'overhead/upstream.ts')],
});
const answer = await fetch(`${upstream.url}/search`, { method: 'POST', body: '{}' });
const text = await answer.text();
await upstream.end();
await using released = await makeReleasedVersion(commit);
const before = await open(join(released.program, '../../..'));
const now = await open(join(import.meta.dir, '..'));
for (let sent = 0; sent < warmUp; sent += size) for (const one of [before, now]) await slice(one);
const costs: { before: number; now: number }[] = [];
for (let pair = 0; pair < Number(pairs); pair += 1) {
  const first = await costOf(pair % 2 === 0 ? before : now);
  const second = await costOf(pair % 2 === 0 ? now : before);
  costs.push(pair % 2 === 0 ? { before: first, now: second } : { before: second, now: first });
}
const [was, is] = [costs.map((cost) => cost.before), costs.map((cost) => cost.now)];
const ratio = middle(costs.map((cost) => cost.now / cost.before));
process.stdout.write(
  `${connections} connections: ${middle(was).toFixed(0)} us of processor time before, ` +
    `${middle(is).toFixed(0)} us now, ratio ${ratio.toFixed(3)} (median of ${pairs} pairs), ` +
    `of the cheapest slices ${(Math.min(...is) / Math.min(...was)).toFixed(3)}\n`,
);
for (const one of [before, now]) await one.stop();
process.exit(0);

interface Opened {
  ask: () => Promise<void>;
  stop: () => Promise<void>;
}

/** A gateway of the project in this folder. Its modules are its own, so is its `machine`. */
async function open(project: string): Promise<Opened> {
  const load = <Module>(path: string) =>
    import(join(project, 'server/src', path)) as Promise<Module>;
  const { machine } = await load<{ machine: typeof Machine }>('platform/machine.ts');
  const server = { timeout: () => undefined, requestIP: () => null, port: 1, stop: async () => {} };
  let handle: ((request: Request, on: typeof server) => Promise<Response>) | undefined;
  Object.assign(machine, {
    serve: (options: { fetch: typeof handle }) => {
      handle ??= options.fetch;
      return server;
    },
    fetch: async () => new Response(text, { headers: { 'content-length': String(text.length) } }),
  });
  const { readSettings } = await load<{ readSettings: typeof ReadSettings }>(
    'settings/settings.ts',
  );
  const { providers } = await load<{ providers: typeof Providers }>('providers/registry.ts');
  const { startGateway } = await load<{ startGateway: typeof Start }>('app/start.ts');
  const folder = mkdtempSync(join(tmpdir(), 'trivium-slices-'));
  const env = {
    ...{ PORT: '0', TRIVIUM_DATA_DIR: folder, TRIVIUM_SANDBOX: 'off', LOG_LEVEL: 'error' },
    ...{ TRIVIUM_BOOTSTRAP_KEY: key, TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000000' },
    ...{ EXA_API_KEY: 'bench', EXA_BASE_URL: 'http://127.0.0.1:9' },
  };
  const gateway = await startGateway(readSettings(env, Object.values(providers)), () => undefined);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-length': `${body.length}` },
    body,
  };
  return {
    ask: async () => {
      const response = await handle?.(new Request('http://127.0.0.1/v1/search', init), server);
      if (response?.status !== 200) throw new Error(await response?.text());
    },
    stop: async () => {
      await gateway.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function slice({ ask }: Opened): Promise<void> {
  let left = size;
  const askOften = async () => {
    while (left-- > 0) await ask();
  };
  await Promise.all(Array.from({ length: Number(connections) }, askOften));
}

/** Of all threads, in microseconds a request. */
async function costOf(one: Opened): Promise<number> {
  const began = process.cpuUsage();
  await slice(one);
  await Bun.sleep(restMs);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / size;
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}
