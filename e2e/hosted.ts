// Gateways and sandboxes that run in the processes which `npm test` has started for all tests.
import { open, stat } from 'node:fs/promises';
import { definedOnly } from './child-process.ts';
import { refuseSecrets, secretsOf } from './secrets.ts';

/** A process that starts them, and the file of what it prints. */
export type Host = { url: string; log: string };

export type HostedProgram = {
  program: 'gateway' | 'sandbox';
  env: Readonly<Record<string, string>>;
};

export type Started = { id: string; url: string; printed: string };

export type Hosted = { url: string; printed: string; stop: () => Promise<void> };

/** None in a run without them, such as a measurement. */
export const hosts = JSON.parse(process.env['TRIVIUM_TEST_HOSTS'] ?? '[]') as readonly Host[];
let turn = process.pid;

export async function startHosted(
  program: HostedProgram['program'],
  given: Readonly<Record<string, string | undefined>>,
): Promise<Hosted> {
  const host = hosts[(turn += 1) % hosts.length];
  if (host === undefined) throw new Error('No process for gateways of tests was started.');
  const env = definedOnly(given);
  const { size: begin } = await stat(host.log);
  const { id, url, printed } = (await call(`${host.url}/`, {
    method: 'POST',
    body: JSON.stringify({ program, env }),
  })) as Started;
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await call(`${host.url}/${id}`, { method: 'DELETE' });
    if (program === 'sandbox') return;
    refuseSecrets(await readFrom(host.log, begin), secretsOf(env), 'the log of the gateways');
  };
  return { url, printed, stop: () => (stopped ??= stop()) };
}

async function call(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(startLimitMs) });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${init.method} ${url}: ${JSON.stringify(answer)}`);
  return answer;
}

async function readFrom(path: string, begin: number): Promise<string> {
  await using file = await open(path);
  const { size } = await file.stat();
  const text = Buffer.alloc(Math.max(0, size - begin));
  await file.read(text, 0, text.length, begin);
  return text.toString();
}

const startLimitMs = 60_000;
