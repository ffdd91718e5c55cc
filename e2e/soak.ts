// A soak test: mixed requests with failing providers, while memory and open files are measured.
import type { Gateway } from './harness.ts';
import { readGauge } from './gauges.ts';
import type { TestSandbox } from './test-sandbox.ts';
import { makeRandom } from './random.ts';
import type { Random } from './random.ts';

export type SoakReport = {
  /** The number of answers with each status. */
  statuses: Map<number, number>;
  /** The first answers that no injected fault explains. */
  unexpected: string[];
  memoryBytes: number[];
  openFiles: number[];
};

export type SoakOptions = { seconds: number; workers: number; seed: number };

export async function soak(
  gateway: Gateway,
  sandbox: TestSandbox,
  { seconds, workers, seed }: SoakOptions,
): Promise<SoakReport> {
  const report: SoakReport = {
    statuses: new Map(),
    unexpected: [],
    memoryBytes: [],
    openFiles: [],
  };
  const until = performance.now() + seconds * 1000;
  const soaking = () => performance.now() < until;
  const work = async (random: Random) => {
    while (soaking()) await askOnce(gateway, random, report);
  };
  const injectFaults = async (random: Random) => {
    for (let turn = 1; soaking(); turn += 1) {
      // A provider with an open circuit consumes no faults, so unused ones are cleared.
      if (turn % clearEvery === 0) await sandbox.clearFaults();
      await injectFault(sandbox, random);
      await Bun.sleep(faultEveryMs);
    }
  };
  const sample = async () => {
    for (; soaking(); await Bun.sleep(sampleEveryMs)) {
      report.memoryBytes.push(await readGauge(gateway, 'process_resident_memory_bytes'));
      report.openFiles.push(await readGauge(gateway, 'process_open_fds'));
    }
  };
  await Promise.all([
    ...Array.from({ length: workers }, (_, at) => work(makeRandom(seed + at))),
    injectFaults(makeRandom(seed - 1)),
    sample(),
  ]);
  await sandbox.clearFaults();
  return report;
}

/** The ratio of the last samples to those after the warm-up; 1.2 is a fifth more. */
export function growthOf(samples: readonly number[]): number {
  const quarter = Math.floor(samples.length / 4);
  const early = median(samples.slice(quarter, 2 * quarter));
  const late = median(samples.slice(-quarter));
  return late / early;
}

const faultEveryMs = 400;
const clearEvery = 50;
const sampleEveryMs = 500;
const maxUnexpected = 10;
const faults = ['rate_limited', 'server_error', 'unavailable', 'cut', 'malformed', 'empty', 'slow'];
const mounts = [
  '/exa',
  '/parallel',
  '/tavily',
  '/brave',
  '/serper',
  '/you',
  '/perplexity',
] as const;
const expected = new Set([200, 400, 401, 409, 502, 503]);

async function injectFault(sandbox: TestSandbox, random: Random): Promise<void> {
  const fault = random.pick(faults);
  await sandbox.fault(random.pick(mounts), fault, {
    times: 1 + random.below(8),
    ...(fault === 'slow' ? { delay_ms: 50 + random.below(500) } : {}),
  });
}

async function askOnce(gateway: Gateway, random: Random, report: SoakReport): Promise<void> {
  const { path, body, headers = {} } = random.pick(requests)(random);
  const answer = await gateway.post(path, body, headers).catch((error: unknown) => String(error));
  if (typeof answer === 'string') {
    if (report.unexpected.length < maxUnexpected) report.unexpected.push(`${path} ${answer}`);
    return;
  }
  report.statuses.set(answer.status, (report.statuses.get(answer.status) ?? 0) + 1);
  if (expected.has(answer.status) || report.unexpected.length >= maxUnexpected) return;
  report.unexpected.push(`${path} ${answer.status} ${answer.text.slice(0, 300)}`);
}

type Ask = { path: string; body: object; headers?: Record<string, string> };

const words = ['solar', 'storage', 'membranes', 'grid', 'rust', 'health', 'oceans', 'trains'];
const pages = ['storage/solar-storage-guide', 'gone', 'huge', 'moved'];

const requests: ((random: Random) => Ask)[] = [
  (random) => ({ path: '/v1/search', body: { query: random.pick(words) } }),
  (random) => ({
    path: '/v1/search',
    body: { query: random.pick(words), provider: `engine_${random.pick([...'abcdefghijk'])}` },
  }),
  (random) => ({ path: '/v1/search', body: { query: random.pick(words), provider: 'fusion' } }),
  (random) => ({
    path: '/v1/search',
    body: { query: 'the same', provider: 'engine_a' },
    headers: { 'idempotency-key': `soak-${random.below(50)}` },
  }),
  (random) => ({
    path: '/v1/extract',
    body: { urls: [`https://gridlines.example/${random.pick(pages)}`] },
  }),
  () => ({ path: '/v1/search', body: { query: '', max_results: -1 } }),
  () => ({
    path: '/v1/search',
    body: { query: 'stranger' },
    headers: { authorization: 'Bearer sk_live_nobody' },
  }),
];

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}
