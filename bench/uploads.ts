// What an upload of 1 GiB costs: the speed compared with a bare Bun server that writes the same
// file, in the same run, and the memory of the gateway. Writes bench/uploads.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGatewayProcess } from '../e2e/harness.ts';
import { makeWav } from '../e2e/uploads/recordings.ts';

const mib = 1024 * 1024;
const fileMib = 1024;
const rounds = 3;
const maxGrowthMib = 50;
const minShare = 0.5;

const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-uploads-'));
const file = join(folder, 'talk.wav');
try {
  await writeFile();
  await using gateway = await startGatewayProcess({ env: { LOG_LEVEL: 'error' } });
  const bare = startBareServer();
  const authorization = `Bearer ${gateway.key}`;
  const post = (url: string, body: () => BodyInit) => async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'audio/wav' },
      body: body(),
    });
    const answer = (await response.json()) as { id: string };
    if (!response.ok) throw new Error(JSON.stringify(answer));
    if (answer.id !== 'bare') await gateway.ask('DELETE', `/v1/uploads/${answer.id}`);
  };
  const whole = () => Bun.file(file);
  const upload = `${gateway.url}/v1/uploads`;
  // The first request loads and compiles what later ones use.
  await post(upload, () => makeWav(mib))();
  const restMib = await memoryMib(gateway.pid());
  const watch = watchMemory(gateway.pid());
  const results: Record<string, number[]> = { bare: [], body: [], form: [] };
  for (let round = 0; round < rounds; round += 1) {
    results['bare']?.push(await mibPerSecond(post(bare.url.href, whole)));
    results['body']?.push(await mibPerSecond(post(upload, whole)));
    results['form']?.push(await mibPerSecond(() => curlForm(upload, authorization)));
    for (const id of await uploadsIn(gateway.store_dir)) {
      await gateway.ask('DELETE', `/v1/uploads/${id}`);
    }
  }
  const growthMib = watch.stop() - restMib;
  await bare.stop(true);
  const text = report(results, restMib, growthMib);
  process.stdout.write(text);
  writeFileSync(join(import.meta.dir, 'uploads.md'), text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function writeFile(): Promise<void> {
  const writer = Bun.file(file).writer();
  const first = makeWav(mib);
  for (let part = 0; part < fileMib; part += 1) {
    await writer.write(first);
    await writer.flush();
  }
  await writer.end();
}

function startBareServer() {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: 2 * fileMib * mib,
    fetch: async (request) => {
      await Bun.write(join(folder, 'bare'), new Response(request.body));
      return Response.json({ id: 'bare' });
    },
  });
}

/** Sent by another process, because Bun would hold the file of a form in memory. */
async function curlForm(url: string, authorization: string): Promise<void> {
  const options = ['-sS', '--fail-with-body', '-H', `authorization: ${authorization}`];
  const child = Bun.spawn(['curl', ...options, '-F', `file=@${file}`, url], { stdout: 'ignore' });
  if ((await child.exited) !== 0) throw new Error('curl failed');
}

async function uploadsIn(storeDir: string): Promise<string[]> {
  return Array.fromAsync(new Bun.Glob('upl_*').scan(join(storeDir, 'uploads')));
}

async function mibPerSecond(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return fileMib / ((performance.now() - began) / 1000);
}

async function memoryMib(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024;
}

function watchMemory(pid: number): { stop: () => number } {
  let peak = 0;
  const timer = setInterval(() => {
    void memoryMib(pid).then((now) => (peak = Math.max(peak, now)));
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

function report(
  results: Readonly<Record<string, number[]>>,
  restMib: number,
  growthMib: number,
): string {
  const median = (name: string) =>
    (results[name] ?? []).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? NaN;
  const bare = median('bare');
  const row = (name: string, what: string) =>
    `| ${what} | ${median(name).toFixed(0)} | ${(median(name) / bare).toFixed(2)} |`;
  const fast = median('body') / bare >= minShare && median('form') / bare >= minShare;
  const small = growthMib < maxGrowthMib;
  return [
    '# Uploads',
    '',
    `\`npm run bench -- uploads\`: a file of ${fileMib} MiB on one machine, the median of`,
    `${rounds} rounds. Server and client share its processors.`,
    '',
    '| Way | MiB a second | of the bare server |',
    '| --- | --- | --- |',
    row('bare', 'a bare Bun server that writes the body to a file'),
    row('body', 'the gateway, the file as the body'),
    row('form', 'the gateway, the file in a form (sent by curl)'),
    '',
    `At least half of the bare server: ${fast ? 'yes' : 'no'}.`,
    '',
    `The gateway's memory was ${restMib.toFixed(0)} MiB before, ` +
      `and grew by at most ${growthMib.toFixed(0)} MiB. ` +
      `Less than ${maxGrowthMib} MiB: ${small ? 'yes' : 'no'}.`,
    '',
  ].join('\n');
}
