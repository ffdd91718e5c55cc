// Ten hours of speech from each provider, stored and served: how long is the event loop blocked?
// Providers and readers are separate processes, so that only the gateway is measured.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../server/src/settings/settings.ts';
import { providers } from '../server/src/providers/registry.ts';
import { startGateway } from '../server/src/app/start.ts';
import type { Gateway } from '../server/src/app/start.ts';
import { makeWebhook } from '../e2e/webhook.ts';
import { showLoop, watchLoop } from './loop-probe.ts';

const key = `sk_live_${'b'.repeat(43)}`;
const audio = 'https://recordings.example/lecture.wav';
const waitLimitMs = 120_000;
const pollMs = 250;
const readings = 3;
const settleMs = 3000;

/** Each provider in its own way, with a public URL and without one. */
const cases = [
  ['stt_a', 'polled'],
  ['stt_b', 'called back'],
  ['stt_c', 'called back'],
] as const;
const withoutAddress = [
  ['stt_b', 'in the answer'],
  ['stt_c', 'in the answer'],
] as const;
type Cases = typeof cases | typeof withoutAddress;

export async function benchLongTranscripts(): Promise<void> {
  const sandbox = Bun.spawn([process.execPath, 'sandbox/src/main.ts'], {
    env: { ...process.env, PORT: '0' },
    stdout: 'pipe',
  });
  const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-'));
  try {
    const sandboxUrl = await addressOf(sandbox.stdout);
    const port = freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const webhook = await makeWebhook(sandboxUrl, `${publicUrl}/callbacks/stt_c`);
    const reachable = {
      TRIVIUM_PUBLIC_URL: publicUrl,
      ELEVENLABS_WEBHOOK_ID: webhook.webhook_id,
      ELEVENLABS_WEBHOOK_SECRET: webhook.webhook_secret,
    };
    await benchCases(sandboxUrl, folder, { PORT: String(port), ...reachable }, cases);
    await benchCases(sandboxUrl, folder, { PORT: '0' }, withoutAddress);
  } finally {
    sandbox.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

async function benchCases(
  sandboxUrl: string,
  folder: string,
  environment: Record<string, string>,
  cases: Cases,
): Promise<void> {
  const gateway = await openGateway(sandboxUrl, folder, environment);
  try {
    await warmUp(gateway.url, cases);
    const idle = watchLoop();
    await Bun.sleep(settleMs);
    say('nothing to do', showLoop(idle()));
    for (const [provider, how] of cases) await benchCase(gateway.url, provider, how);
  } finally {
    await gateway.stop();
  }
}

async function benchCase(url: string, provider: string, how: string): Promise<void> {
  const storing = watchLoop();
  const id = await submit(url, provider, audio);
  await ended(url, id);
  say(`ten hours, ${provider} ${how}: stored`, showLoop(storing()));
  const serving = watchLoop();
  let bytes = 0;
  for (let reading = 0; reading < readings; reading += 1) bytes = await readElsewhere(url, id);
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  say(`ten hours, ${provider}: served ${readings} times, ${size}`, showLoop(serving()));
}

/** Warms up the gateway: work that is done once must not be counted for a transcript. */
async function warmUp(url: string, cases: Cases): Promise<void> {
  for (const [provider] of cases) {
    const id = await submit(url, provider, 'https://recordings.example/interview.wav');
    await ended(url, id);
  }
}

async function openGateway(
  sandboxUrl: string,
  folder: string,
  more: Record<string, string>,
): Promise<Gateway> {
  const environment = {
    ...more,
    TRIVIUM_DATA_DIR: folder,
    TRIVIUM_SANDBOX: 'off',
    TRIVIUM_BOOTSTRAP_KEY: key,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000',
    ASSEMBLYAI_API_KEY: 'bench',
    ASSEMBLYAI_BASE_URL: `${sandboxUrl}/assemblyai`,
    DEEPGRAM_API_KEY: 'bench',
    DEEPGRAM_BASE_URL: `${sandboxUrl}/deepgram`,
    ELEVENLABS_API_KEY: 'bench',
    ELEVENLABS_BASE_URL: `${sandboxUrl}/elevenlabs`,
    LOG_LEVEL: 'error',
  };
  return startGateway(readSettings(environment, Object.values(providers)), () => undefined);
}

/** The rest of the output is not read, but closing the pipe would end the sandbox. */
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

const authorization = `Bearer ${key}`;

async function submit(url: string, provider: string, audioUrl: string): Promise<string> {
  const response = await fetch(`${url}/v1/transcriptions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ audio_url: audioUrl, provider, diarize: true }),
  });
  if (response.status !== 202) throw new Error(await response.text());
  return ((await response.json()) as { id: string }).id;
}

/** Reads in a separate process, so that parsing a long response is not measured. */
async function ended(url: string, id: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < waitLimitMs; waitedMs += pollMs) {
    const [status] = await elsewhere(
      url,
      id,
      '/"status":"(\\w+)"/.exec(new TextDecoder().decode(body.slice(0, 500)))?.[1]',
    );
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(`${id} failed`);
    await Bun.sleep(pollMs);
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
