// Open loop: requests are sent at a fixed rate, whether or not earlier ones are answered. A latency
// counts from the moment the request was due, so a pause of the server counts for every request
// that it delays, not only for the one in progress (coordinated omission).
import { makeReader } from './load.ts';

interface RateLoad {
  host: string;
  port: number;
  request: string;
  perSecond: number;
  seconds: number;
  /** Requests that are due in this time are sent but not counted. */
  warmUpMs?: number;
}

export interface AtRate {
  rate: number;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  /** Responses other than 200, broken connections, and requests without a response at the end. */
  failures: number;
}

export interface Rates {
  name: string;
  at: AtRate[];
  /** The highest rate whose 99th percentile is below `maxP99Ms`; undefined when none is. */
  highest: number | undefined;
}

export const fixedRates = [250, 500, 1000, 2000, 3000];
export const maxP99Ms = 50;
/** Above this the load generator itself takes more than its share of the machine. */
const maxRate = 16_000;
const minRate = 10;
/** Two rates this close are treated as equal. */
const closeEnough = 1.1;
const usualWarmUpMs = 1000;
/** A request without an answer this long after the end counts as failed. */
const drainMs = 2000;
const maxConnections = 512;

type Address = Pick<RateLoad, 'host' | 'port' | 'request'>;

/** Latencies at fixed rates, until one is too high, and the highest rate that is sustained. */
export async function measureRates(
  name: string,
  address: Address,
  seconds: number,
  say: (text: string) => void,
): Promise<Rates> {
  const at: AtRate[] = [];
  const measure = async (perSecond: number) => {
    const measured = await runAtRate({ ...address, perSecond, seconds });
    say(`${name.padEnd(20)} ${perSecond}/s p50 ${measured.p50Ms.toFixed(2)} ${describe(measured)}`);
    return measured;
  };
  // Another program may disturb one attempt.
  const isHeldAt = async (rate: number) =>
    isHeld(await measure(rate)) || isHeld(await measure(rate));
  let held: number | undefined;
  let missed: number | undefined;
  for (const rate of fixedRates) {
    const first = await measure(rate);
    const measured = isHeld(first) ? first : better(first, await measure(rate));
    at.push(measured);
    if (isHeld(measured)) held = rate;
    else {
      missed = rate;
      break;
    }
  }
  while (held === undefined && missed !== undefined && missed / 2 >= minRate) {
    if (await isHeldAt(missed / 2)) held = missed / 2;
    else missed /= 2;
  }
  while (held !== undefined && missed === undefined && held < maxRate) {
    const next = Math.min(maxRate, held * 1.5);
    if (await isHeldAt(next)) held = next;
    else missed = next;
  }
  while (held !== undefined && missed !== undefined && missed / held > closeEnough) {
    const between = Math.round((held + missed) / 2);
    if (await isHeldAt(between)) held = between;
    else missed = between;
  }
  return { name, at, highest: held };
}

function isHeld({ p99Ms, failures }: AtRate): boolean {
  return p99Ms < maxP99Ms && failures === 0;
}

function better(one: AtRate, other: AtRate): AtRate {
  return one.failures > other.failures || one.p99Ms > other.p99Ms ? other : one;
}

function describe({ p99Ms, p999Ms, failures }: AtRate): string {
  return `p99 ${p99Ms.toFixed(2)} p99.9 ${p999Ms.toFixed(2)} ms, ${failures} failures`;
}

interface Connection {
  socket: Bun.Socket;
  reader: (chunk: Buffer) => number | undefined;
  /** When its request was due; undefined while it is idle. */
  dueAt: number | undefined;
}

export async function runAtRate(load: RateLoad): Promise<AtRate & { longestMs: number }> {
  const { warmUpMs = usualWarmUpMs } = load;
  const bytes = Buffer.from(load.request);
  const times: number[] = [];
  /** The due times of requests that wait for a connection, from `next` on. */
  const waiting: number[] = [];
  let next = 0;
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  let opening = 0;
  let failures = 0;
  const began = performance.now();
  const record = (dueAt: number) => {
    if (dueAt >= began + warmUpMs) times.push(performance.now() - dueAt);
  };
  const send = (connection: Connection, dueAt: number) => {
    connection.dueAt = dueAt;
    connection.socket.write(bytes);
  };
  const take = (connection: Connection) => {
    const dueAt = waiting[next];
    if (dueAt === undefined) return void idle.push(connection);
    next += 1;
    send(connection, dueAt);
  };
  const lose = (connection: Connection | undefined) => {
    if (!connection || !all.delete(connection)) return;
    if (connection.dueAt !== undefined) failures += 1;
    const at = idle.indexOf(connection);
    if (at >= 0) idle.splice(at, 1);
  };
  const open = () => {
    opening += 1;
    let own: Connection | undefined;
    const failed = () => {
      if (own) return lose(own);
      opening -= 1;
      failures += 1;
    };
    Bun.connect({
      hostname: load.host,
      port: load.port,
      socket: {
        open: (socket) => {
          opening -= 1;
          own = { socket, reader: makeReader(), dueAt: undefined };
          all.add(own);
          take(own);
        },
        data: (_socket, chunk) => {
          const status = own?.reader(chunk);
          if (!own || status === undefined || own.dueAt === undefined) return;
          record(own.dueAt);
          if (status !== 200) failures += 1;
          own.dueAt = undefined;
          take(own);
        },
        close: () => lose(own),
        error: failed,
        connectError: failed,
      },
    }).catch(() => undefined);
  };
  const count = Math.round(load.perSecond * (load.seconds + warmUpMs / 1000));
  for (let sent = 0; sent < count; await Bun.sleep(1)) {
    const now = performance.now();
    // On whole milliseconds, which is as exact as timers are.
    for (; sent < count; sent += 1) {
      const dueAt = began + Math.ceil((sent * 1000) / load.perSecond);
      if (dueAt > now) break;
      const connection = idle.pop();
      if (connection) send(connection, dueAt);
      else {
        waiting.push(dueAt);
        if (all.size + opening < maxConnections) open();
      }
    }
  }
  const endsAt = performance.now() + drainMs;
  const isBusy = () => next < waiting.length || idle.length < all.size;
  while (isBusy() && performance.now() < endsAt) await Bun.sleep(5);
  const unanswered = [...waiting.slice(next), ...[...all].flatMap(({ dueAt }) => dueAt ?? [])];
  for (const dueAt of unanswered) record(dueAt);
  for (const connection of all) connection.dueAt = undefined;
  for (const { socket } of all) socket.end();
  const sorted = Float64Array.from(times).sort();
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN;
  return {
    rate: load.perSecond,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    p999Ms: percentile(0.999),
    longestMs: sorted.at(-1) ?? NaN,
    failures: failures + unanswered.length,
  };
}
