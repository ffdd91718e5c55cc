// The CPU time of a search inside the gateway: negotiation, building the request, reading ten
// results and writing the response.
import { searchEngineIds, SearchRequest } from '@trivium/contract';
import type { SearchEngineId } from '@trivium/contract';
import { mounts, startSandbox } from '@trivium/sandbox';
import { listPrices, providers } from '../server/src/providers/registry.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { send } from '../server/src/platform/http-client.ts';
import type { Send, Sent } from '../server/src/platform/http-client.ts';
import type { ReadyProvider } from '../server/src/upstream/context.ts';
import type { AppContext } from '../server/src/app/context.ts';
import { performSearch, planSearch } from '../server/src/search/search-engine.ts';
import { resultText } from '../server/src/search/write-answer.ts';

const slices = 12;
const rounds = 400;
const warmUp = 2500;
const limitUs = 150;
const budget = { timeout_ms: 10_000, maxBytes: 10_000_000 };

const only = process.argv[2]?.split(',') as SearchEngineId[] | undefined;

const sandbox = await startSandbox();
const request = SearchRequest.parse({
  query: 'solar energy storage',
  include_domains: [],
  content: { snippets: { max_per_result: 3, max_chars_per_snippet: 400 } },
  safe_search: 'moderate',
  category: 'news',
});
const lines = [
  'engine    bytes in   µs per search: minimum, median; bare: parse and write the same bytes',
];
let worst = 0;
for (const id of only ?? searchEngineIds) {
  if (!providers[id].search) continue;
  const { least, median, bare, bytes } = await measure(id);
  worst = Math.max(worst, least);
  const figures = [least, median, bare].map((micros) => micros.toFixed(1).padStart(8));
  lines.push(`${id}  ${String(bytes).padStart(8)}   ${figures.join(' ')}`);
}
lines.push(`worst ${worst.toFixed(1)} µs: ${worst <= limitUs ? 'within' : 'ABOVE'} the limit`);
process.stdout.write(`${lines.join('\n')}\n`);
await sandbox.stop();

interface Measured {
  /** The minimum of several slices, because other processes can only add to it. */
  least: number;
  median: number;
  /** The lower bound: parses the response and writes it again. */
  bare: number;
  bytes: number;
}

/**
 * One real response is fetched; then the same bytes are served from memory, so that only the
 * gateway is measured.
 */
async function measure(id: SearchEngineId): Promise<Measured> {
  const chosen = readyProviderOf(id);
  const recorded: Sent[] = [];
  const first = contextWith(async (outgoing) => {
    const answer = await send(outgoing);
    recorded.push(answer);
    return answer;
  });
  const plan = planSearch(first, chosen, SearchRequest.parse({ query: request.query }));
  await performSearch(first, plan, budget);
  const [answer] = recorded;
  if (!answer?.ok) throw new Error(`${id} did not answer in the sandbox`);
  const context = contextWith(() => Promise.resolve(answer));
  const [least = NaN, ...others] = await timesOf((count) => searchOften(context, chosen, count));
  const [bare = NaN] = await timesOf(async (count) => {
    for (let round = 0; round < count; round += 1) JSON.stringify(JSON.parse(answer.text));
  });
  return { least, median: others[slices / 2 - 1] ?? NaN, bare, bytes: answer.text.length };
}

/** The time per search of each slice, in µs, in ascending order. */
async function timesOf(repeat: (count: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  await repeat(warmUp);
  for (let slice = 0; slice < slices; slice += 1) {
    const begin = cpuMicros();
    await repeat(rounds);
    times.push((cpuMicros() - begin) / rounds);
  }
  return times.sort((one, other) => one - other);
}

async function searchOften(
  context: AppContext,
  chosen: ReadyProvider,
  count: number,
): Promise<void> {
  let written = 0;
  for (let round = 0; round < count; round += 1) {
    const outcome = await performSearch(context, planSearch(context, chosen, request), budget);
    if (!outcome.ok) throw new Error(`${chosen.provider.id}: ${outcome.refusal.message}`);
    written += outcome.found.map((found, index) => resultText(found, index + 1)).join(',').length;
  }
  if (written === 0) throw new Error('nothing was found, so nothing was measured');
}

function readyProviderOf(id: SearchEngineId): ReadyProvider {
  const provider = providers[id];
  const hosts = Object.entries(provider.hosts).map(([role, { env }]) => {
    const played = mounts.find(({ setting }) => setting === env);
    return [role, sandbox.url + (played?.mount ?? '')];
  });
  return {
    provider,
    state: 'configured',
    upstream: {
      key: 'sandbox-credential',
      hosts: Object.fromEntries(hosts) as Record<string, string>,
    },
  };
}

function contextWith(answering: Send): AppContext {
  const settings = { max_request_usd: 10 };
  const context = { settings, clock: systemClock, send: answering, prices: listPrices };
  return context as unknown as AppContext;
}

/** The CPU time of this process, which a busy machine does not affect. */
function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
