// A program that runs gateways and sandboxes for tests that need no process of their own: a start in
// warm code takes a third of the processor time. POST / starts one, DELETE /:id stops it.
import { startSandbox } from '../sandbox/src/start.ts';
import type { StopOptions } from '../server/src/app/shutdown.ts';
import { startGateway } from '../server/src/app/start.ts';
import { describeFailure } from '../server/src/platform/start-error.ts';
import { providers } from '../server/src/providers/index.ts';
import { readSettings } from '../server/src/settings/index.ts';
import type { HostedProgram, Started } from './hosted.ts';

type Running = { url: string; stop: (options?: StopOptions) => Promise<void> };

/** The runtime reads them for the whole process. */
const ofTheProcess = /^(?:NODE|BUN)_|_proxy$/i;
const stopLimitMs = 5000;

const running = new Map<string, Running>();
let started = 0;

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  routes: {
    '/': {
      POST: async (request) =>
        answer(async () => await start((await request.json()) as HostedProgram)),
    },
    '/:id': { DELETE: async ({ params }) => answer(async () => await stop(params.id)) },
  },
});
process.stdout.write(`Gateways of tests start at ${server.url.origin}\n`);
// The run that started it is gone.
for await (const chunk of Bun.stdin.stream()) void chunk;
process.exit(0);

async function start({ program, env }: HostedProgram): Promise<Started> {
  const id = String((started += 1));
  let printed = '';
  const one =
    program === 'sandbox'
      ? await startSandbox({})
      : await startOne(env, (text) => {
          printed += text;
        });
  running.set(id, one);
  return { id, url: one.url, printed };
}

async function startOne(
  env: HostedProgram['env'],
  print: (text: string) => void,
): Promise<Running> {
  const foreign = Object.keys(env).filter((name) => ofTheProcess.test(name));
  if (foreign.length > 0) throw new Error(`${foreign.join(', ')}: start a process for this test.`);
  const settings = readSettings(env, Object.values(providers));
  if (settings.processes !== 1 || settings.watchdog) {
    throw new Error('Several processes or a watchdog: start a process for this test.');
  }
  return await startGateway(settings, print);
}

async function stop(id: string): Promise<object> {
  const one = running.get(id);
  running.delete(id);
  const stopped = one?.stop({ hurry: AbortSignal.abort() }).catch((error: unknown) => {
    // A test may have ended the store, and then the gateway only says so.
    if (describeFailure(error) === undefined) throw error;
  });
  // No caller waits for what a test leaves unfinished.
  await Promise.race([stopped, Bun.sleep(stopLimitMs)]);
  return {};
}

async function answer(work: () => Promise<object>): Promise<Response> {
  try {
    return Response.json(await work());
  } catch (error) {
    return Response.json({ error: describeFailure(error) ?? String(error) }, { status: 500 });
  }
}
