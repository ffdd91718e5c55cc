// CPU a search costs inside the gateway: negotiation, building the request, reading ten results and
// writing the answer.
import { search_engine_ids, SearchRequest } from '@trivium/contract';
import type { SearchEngineId } from '@trivium/contract';
import { mounts, startSandbox } from '@trivium/sandbox';
import { list_prices } from '../server/src/domain/prices.ts';
import { system_clock } from '../server/src/platform/clock.ts';
import { send } from '../server/src/platform/http.ts';
import type { Send, Sent } from '../server/src/platform/http.ts';
import { providers } from '../server/src/providers/index.ts';
import type { Chosen } from '../server/src/services/choose-provider.ts';
import type { House } from '../server/src/services/house.ts';
import { performSearch, planSearch } from '../server/src/services/search-one.ts';
import { resultText } from '../server/src/services/write-search.ts';

const rounds = 3000;
const warm_up = 2000;
const limit_us = 150;
const budget = { timeout_ms: 10_000, max_bytes: 10_000_000 };

const sandbox = await startSandbox();
const request = SearchRequest.parse({
  query: 'solar energy storage',
  include_domains: [],
  content: { snippets: { max_per_result: 3, max_chars_per_snippet: 400 } },
  safe_search: 'moderate',
  category: 'news',
});
const lines = ['engine    bytes in   µs a search (limit 150)'];
let worst = 0;
for (const id of search_engine_ids) {
  if (!providers[id].search) continue;
  const { micros, bytes } = await measure(id);
  worst = Math.max(worst, micros);
  lines.push(`${id}  ${String(bytes).padStart(8)}   ${micros.toFixed(1).padStart(6)}`);
}
lines.push(`worst ${worst.toFixed(1)} µs: ${worst <= limit_us ? 'within' : 'ABOVE'} the limit`);
process.stdout.write(`${lines.join('\n')}\n`);
await sandbox.stop();

/**
 * One true answer is fetched; then the same bytes are served from memory, so that only our own work
 * is timed.
 */
async function measure(id: SearchEngineId): Promise<{ micros: number; bytes: number }> {
  const chosen = stationOf(id);
  const heard: Sent[] = [];
  const first = houseWith(async (outgoing) => {
    const answer = await send(outgoing);
    heard.push(answer);
    return answer;
  });
  const plan = planSearch(first, chosen, SearchRequest.parse({ query: request.query }));
  await performSearch(first, plan, budget);
  const [answer] = heard;
  if (!answer?.ok) throw new Error(`${id} did not answer in the sandbox`);
  const house = houseWith(() => Promise.resolve(answer));
  let written = 0;
  let begin = 0;
  for (let round = 0; round < rounds + warm_up; round += 1) {
    if (round === warm_up) begin = cpuMicros();
    const outcome = await performSearch(house, planSearch(house, chosen, request), budget);
    if (!outcome.ok) throw new Error(`${id}: ${outcome.refusal.message}`);
    written += outcome.found.map((found, index) => resultText(found, index + 1)).join(',').length;
  }
  if (written === 0) throw new Error(`${id} found nothing, so nothing was measured`);
  return { micros: (cpuMicros() - begin) / rounds, bytes: answer.text.length };
}

function stationOf(id: SearchEngineId): Chosen {
  const provider = providers[id];
  const hosts = Object.entries(provider.hosts).map(([role, { env }]) => {
    const played = mounts.find(({ setting }) => setting === env);
    return [role, sandbox.url + (played?.mount ?? '')];
  });
  return {
    provider,
    state: 'configured',
    upstream: { key: 'sandbox', hosts: Object.fromEntries(hosts) as Record<string, string> },
  };
}

function houseWith(answering: Send): House {
  return { clock: system_clock, send: answering, prices: list_prices } as unknown as House;
}

/** CPU time of this process, so that a busy machine does not change the figure. */
function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
