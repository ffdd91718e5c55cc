// An installed gateway, started by its command in a separate folder.
import { createClient, operatorTokenIn } from '../http-client.ts';
import type { Client } from '../http-client.ts';
import { waitFor } from '../wait-for.ts';

export type InstalledGateway = Client &
  AsyncDisposable & {
    url: string;
    key: string;
    output: () => string;
    /** Sends a signal and resolves to the exit code. */
    stop: (signal?: NodeJS.Signals) => Promise<number>;
  };

export interface StartOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/** The command must start a gateway with a new store, which prints the first key. */
export async function startInstalled(
  command: readonly string[],
  { cwd, env }: StartOptions,
): Promise<InstalledGateway> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // As in a terminal, a signal reaches the whole process group.
    detached: true,
  });
  let text = '';
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  };
  const finished = Promise.all([child.exited, collect(child.stdout), collect(child.stderr)]);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    signalGroup(child.pid, signal);
    const [code] = await finished;
    return code;
  };
  const find = () => /listening on (\S+)[^]*(sk_(?:live|test)_[\w-]{43})\n/.exec(text);
  const what = `${command.join(' ')} starts`;
  await waitFor(() => find() !== null || child.exitCode !== null, { what });
  const [, url, key] = find() ?? [];
  if (url === undefined || key === undefined) {
    await stop('SIGKILL');
    throw new Error(`${command.join(' ')} did not start a gateway. It printed:\n${text}`);
  }
  const client = createClient(
    () => url,
    (path) => (path === '/metrics' ? operatorTokenIn(text) : undefined) ?? key,
  );
  const output = () => text;
  const end = async () => void (await stop('SIGKILL'));
  return { ...client, url, key, output, stop, [Symbol.asyncDispose]: end };
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // All of it has ended.
  }
}

/** Searches, reads a page of the documentation and the dashboard, and transcribes ten hours. */
export async function useEverything(gateway: InstalledGateway): Promise<object> {
  const query = 'solar energy storage';
  const search = await gateway.post('/v1/search', { query, provider: 'engine_a' });
  const docs = await gateway.get('/docs/quickstart');
  const page = await gateway.get('/');
  const script = /src="(\/assets\/main-\w+\.js)"/.exec(page.text)?.[1] ?? '/no-script';
  const asset = await gateway.get(script);
  const audioUrl = 'https://recordings.example/lecture.wav';
  const submitted = await gateway.post('/v1/transcriptions', {
    audio_url: audioUrl,
    provider: 'stt_a',
  });
  const job = await waitForJob(gateway, (submitted.body as { id: string }).id);
  return {
    search: [search.status, (search.body as { provider?: string }).provider],
    docs: [docs.status, docs.text.includes('Quickstart')],
    dashboard: [page.status, asset.status, asset.headers.get('content-type')],
    // An answer of this length is parsed in a worker thread.
    transcription: [job.status, job.result?.duration_seconds],
  };
}

export const everythingWorks = {
  search: [200, 'engine_a'],
  docs: [200, true],
  dashboard: [200, 200, 'text/javascript; charset=utf-8'],
  transcription: ['completed', 36_000],
};

interface Job {
  status: string;
  result?: { duration_seconds: number } | null;
}

async function waitForJob({ get }: InstalledGateway, id: string): Promise<Job> {
  return waitFor(async () => (await get(`/v1/jobs/${id}`)).body as Job, {
    what: `${id} ends`,
    until: ({ status }) => status === 'completed' || status === 'failed',
  });
}
