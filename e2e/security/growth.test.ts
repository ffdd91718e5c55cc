// Every route is sent hostile texts of 1 kB to 1 MB, by a caller who cannot pay. The processor time
// for a request grows with its size and not faster, also when the gateway refuses it.
import { expect } from 'bun:test';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { startGatewayProcess } from '../harness.ts';
import { testWhere } from '../leave-out.ts';
import { isLong, largeTextEvery } from '../lengths.ts';
import { startUpstream } from '../upstream.ts';
import { attacksOn, kinds } from './hostile-bodies.ts';
import type { Attack, Hostile } from './hostile-bodies.ts';
import { routeTable } from './route-table.ts';
import { operator } from './visitor.ts';

/** The kinds of texts take turns; the second at once is always the first one. */
const kindAt = (turn: number, at: number) => (at === 1 ? 0 : (turn + at) % kinds.length);

const largeSize = 1_000_000;
/** Kinds of texts take turns from route to route; the long tests send several to each. */
const sizes = [
  { size: 1000, kindsAtOnce: isLong ? 3 : 1 },
  { size: 10_000, kindsAtOnce: isLong ? 3 : 1 },
  { size: 100_000, kindsAtOnce: isLong ? 2 : 1 },
  { size: largeSize, kindsAtOnce: 1 },
];
/** Ten times the size takes about ten times the work; with the square it takes a hundred times. */
const maxGrowth = 40;
/** With less, other work of the process would count more than the request. */
const leastMs = 4;
/** What seems to grow too fast is measured again, because garbage collection runs at any time. */
const attempts = 4;
/** Work that grows like a power may never end; a busy machine may take long for the rest. */
const answerLimitMs = 100_000;

/** Sends a request, and returns the processor time that it took, in milliseconds. */
type Cost = (requests: readonly Hostile[]) => Promise<number>;

/** Undefined, or the sizes and the processor times of work that grows too fast. */
async function tooFast(attack: Attack, turn: number, cost: Cost): Promise<string | undefined> {
  let before = leastMs;
  for (const { size, kindsAtOnce } of sizes) {
    if (size > (attack.maxSize ?? size)) break;
    if (size === largeSize && turn % largeTextEvery !== 0) break;
    const some = Array.from({ length: kindsAtOnce }, (_, at) => kindAt(turn, at));
    const work = (of: number) => cost(some.map((at) => attack.of(of, kinds[at] ?? [])));
    let now = await work(size);
    let smaller = before * kindsAtOnce;
    for (let again = 1; again < attempts && now > maxGrowth * smaller; again += 1) {
      now = Math.min(now, await work(size));
      smaller = Math.max(smaller, await work(size / 10));
    }
    if (now > maxGrowth * smaller) return `${size} bytes: ${smaller} ms became ${now} ms`;
    before = Math.max(now / kindsAtOnce, leastMs);
  }
  return undefined;
}

/** Of all threads of a process. */
async function processorMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const read = (thread: string) =>
    readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
  const times = await Promise.all(threads.map(read));
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6;
}

const missing = existsSync('/proc/self/schedstat') ? undefined : 'needs Linux';

testWhere(missing)('the work of no route grows faster than the request', async () => {
  await using vendor = startUpstream(() => new Response('', { status: 500 }));
  await using gateway = await startGatewayProcess({
    sandbox: vendor.url,
    env: { TRIVIUM_BOOTSTRAP_BALANCE_USD: '0' },
  });
  const ada = await operator(gateway);
  const authorization = `Bearer ${gateway.key}`;
  const document: unknown = await (await fetch(`${gateway.url}/openapi.json`)).json();
  const slow: string[] = [];
  let turn = 0;
  for (const route of routeTable()) {
    const isForPeople = /^\/(?:admin|auth|oauth)\//.test(route.path);
    const send = async ({ path, headers, body }: Hostile) => {
      const signal = AbortSignal.timeout(answerLimitMs);
      const more = isForPeople ? { ...ada.headers(), ...headers } : { authorization, ...headers };
      const init = { method: route.method, redirect: 'manual', signal, headers: more } as const;
      const response = await fetch(
        gateway.url + path,
        body === undefined ? init : { ...init, body },
      );
      await response.text();
    };
    const cost: Cost = async (requests) => {
      const before = await processorMs(gateway.pid());
      const answered = await Promise.allSettled(requests.map(send));
      const failed = answered.find(({ status }) => status === 'rejected');
      if (failed) throw new Error(`${route.method} ${route.path} does not answer`);
      return (await processorMs(gateway.pid())) - before;
    };
    for (const attack of attacksOn(route, document)) {
      turn += 1;
      const found = await tooFast(attack, turn, cost);
      if (found) slow.push(`${route.method} ${route.path}, ${attack.name}, ${found}`);
    }
  }
  expect(slow).toEqual([]);
  expect(vendor.received).toEqual([]);
});
