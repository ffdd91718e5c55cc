// Ten hours of speech from each provider, stored and served: does the gateway's loop still turn?
// Providers and readers are processes of their own, so that only the gateway is watched.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../server/src/platform/settings.ts';
import { providers } from '../server/src/providers/index.ts';
import { startGateway } from '../server/src/start.ts';
import type { Gateway } from '../server/src/start.ts';
import { makeWebhook } from '../e2e/webhook.ts';
import { showLoop, watchLoop } from './loop-probe.ts';

const KEY = `sk_live_${'b'.repeat(43)}`;
const AUDIO = 'https://recordings.example/lecture.wav';
const WAIT_LIMIT_MS = 120_000;
const POLL_MS = 250;
const READINGS = 3;
const SETTLE_MS = 3000;

/** Each provider in its own way, with a public address and without one. */
const CASES = [
  ['stt_a', 'polled'],
  ['stt_b', 'called back'],
  ['stt_c', 'called back'],
] as const;
const WITHOUT_ADDRESS = [
  ['stt_b', 'in the answer'],
  ['stt_c', 'in the answer'],
] as const;
type Cases = typeof CASES | typeof WITHOUT_ADDRESS;

export async function benchLongTranscripts(): Promise<void> {
  const sandbox = Bun.spawn([process.execPath, 'sandbox/src/main.ts'], {
    env: { ...process.env, PORT: '0' },
    stdout: 'pipe',
  });
  const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-'));
  try {
    const sandbox_url = await addressOf(sandbox.stdout);
    const port = freePort();
    const public_url = `http://127.0.0.1:${port}`;
    const webhook = await makeWebhook(sandbox_url, `${public_url}/callbacks/stt_c`);
    const reachable = {
      TRIVIUM_PUBLIC_URL: public_url,
      ELEVENLABS_WEBHOOK_ID: webhook.webhook_id,
      ELEVENLABS_WEBHOOK_SECRET: webhook.webhook_secret,
    };
    await benchCases(sandbox_url, folder, { PORT: String(port), ...reachable }, CASES);
    await benchCases(sandbox_url, folder, { PORT: '0' }, WITHOUT_ADDRESS);
  } finally {
    sandbox.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

async function benchCases(
  sandbox_url: string,
  folder: string,
  environment: Record<string, string>,
  cases: Cases,
): Promise<void> {
  const gateway = await openGateway(sandbox_url, folder, environment);
  try {
    await warmUp(gateway.url, cases);
    const idle = watchLoop();
    await Bun.sleep(SETTLE_MS);
    say('nothing to do', showLoop(idle()));
    for (const [provider, how] of cases) await benchCase(gateway.url, provider, how);
  } finally {
    await gateway.stop();
  }
}

async function benchCase(url: string, provider: string, how: string): Promise<void> {
  const storing = watchLoop();
  const id = await submit(url, provider, AUDIO);
  await ended(url, id);
  say(`ten hours, ${provider} ${how}: stored`, showLoop(storing()));
  const serving = watchLoop();
  let bytes = 0;
  for (let reading = 0; reading < READINGS; reading += 1) bytes = await readElsewhere(url, id);
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  say(`ten hours, ${provider}: served ${READINGS} times, ${size}`, showLoop(serving()));
}

/** What is compiled or opened once in a gateway's life is none of a transcript's doing. */
async function warmUp(url: string, cases: Cases): Promise<void> {
  for (const [provider] of cases) {
    const id = await submit(url, provider, 'https://recordings.example/interview.wav');
    await ended(url, id);
  }
}

async function openGateway(
  sandbox_url: string,
  folder: string,
  more: Record<string, string>,
): Promise<Gateway> {
  const environment = {
    ...more,
    TRIVIUM_DATA_DIR: folder,
    TRIVIUM_SANDBOX: 'off',
    TRIVIUM_BOOTSTRAP_KEY: KEY,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000',
    ASSEMBLYAI_API_KEY: 'bench',
    ASSEMBLYAI_BASE_URL: `${sandbox_url}/assemblyai`,
    DEEPGRAM_API_KEY: 'bench',
    DEEPGRAM_BASE_URL: `${sandbox_url}/deepgram`,
    ELEVENLABS_API_KEY: 'bench',
    ELEVENLABS_BASE_URL: `${sandbox_url}/elevenlabs`,
    LOG_LEVEL: 'error',
  };
  return startGateway(readSettings(environment, Object.values(providers)), () => undefined);
}

/** The rest of the output stays unread: whoever closed it would end the sandbox. */
async function addressOf(output: ReadableStream<Uint8Array>): Promise<string> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    text += decoder.decode(chunk.value, { stream: true });
    const [, url] = / on (http:\/\/[^\s/]+)/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the sandbox ended: ${text}`);
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  if (port === undefined) throw new Error('there is no free port');
  return port;
}

const authorization = `Bearer ${KEY}`;

async function submit(url: string, provider: string, audio_url: string): Promise<string> {
  const response = await fetch(`${url}/v1/transcriptions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ audio_url, provider, diarize: true }),
  });
  if (response.status !== 202) throw new Error(await response.text());
  return ((await response.json()) as { id: string }).id;
}

/** Asks in a process of its own: the reader of a long answer must not be what is measured. */
async function ended(url: string, id: string): Promise<void> {
  for (let waited_ms = 0; waited_ms < WAIT_LIMIT_MS; waited_ms += POLL_MS) {
    const [status] = await elsewhere(
      url,
      id,
      '/"status":"(\\w+)"/.exec(new TextDecoder().decode(body.slice(0, 500)))?.[1]',
    );
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(`${id} failed`);
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`${id} did not end in time`);
}

async function readElsewhere(url: string, id: string): Promise<number> {
  const [bytes] = await elsewhere(url, id, 'body.length');
  return Number(bytes);
}

async function elsewhere(url: string, id: string, shown: string): Promise<string[]> {
  const program =
    `const answer = await fetch('${url}/v1/jobs/${id}', ` +
    `{ headers: { authorization: '${authorization}' } }); ` +
    `const body = new Uint8Array(await answer.arrayBuffer()); ` +
    `process.stdout.write(String(${shown}));`;
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' });
  return (await new Response(child.stdout).text()).split('\n');
}

function say(what: string, figures: string): void {
  process.stdout.write(`${what}: ${figures}\n`);
}
