// The load generator: persistent connections that repeat a request as soon as it is answered.

export interface Load {
  host: string;
  port: number;
  /** The raw requests, sent in turn. */
  requests: readonly string[];
  connections: number;
  /** Ends after this time, or after this many responses, whichever comes first. */
  seconds: number;
  answers?: number;
}

export interface Measured {
  answers: number;
  perSecond: number;
  p50_ms: number;
  p99Ms: number;
  /** Responses other than 200, and broken connections. */
  failures: number;
}

export async function runLoad(load: Load): Promise<Measured> {
  const counters: Counters = { times: [], failures: 0, left: load.answers ?? Infinity };
  const began = performance.now();
  const until = began + load.seconds * 1000;
  const bytes = load.requests.map((request) => Buffer.from(request));
  let turn = 0;
  const next = () => bytes[turn++ % bytes.length] ?? Buffer.alloc(0);
  const one = () => drive(load, counters, until, next);
  await Promise.all(Array.from({ length: load.connections }, one));
  const elapsedS = (performance.now() - began) / 1000;
  const times = Float64Array.from(counters.times).sort();
  const at = (share: number) => times[Math.floor(times.length * share)] ?? NaN;
  return {
    answers: times.length,
    perSecond: times.length / elapsedS,
    p50_ms: at(0.5),
    p99Ms: at(0.99),
    failures: counters.failures,
  };
}

interface Counters {
  times: number[];
  failures: number;
  left: number;
}

async function drive(
  load: Load,
  counters: Counters,
  until: number,
  next: () => Buffer,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const reader = makeReader();
  let sentAt = 0;
  const send = (socket: Bun.Socket) => {
    sentAt = performance.now();
    socket.write(next());
  };
  await Bun.connect({
    hostname: load.host,
    port: load.port,
    socket: {
      open: send,
      data: (socket, chunk) => {
        const status = reader(chunk);
        if (status === undefined) return;
        const now = performance.now();
        counters.times.push(now - sentAt);
        counters.left -= 1;
        if (status !== 200) counters.failures += 1;
        if (now >= until || counters.left <= 0) socket.end();
        else send(socket);
      },
      close: () => ended.resolve(),
      error: () => {
        counters.failures += 1;
        ended.resolve();
      },
      connectError: () => {
        counters.failures += 1;
        ended.resolve();
      },
    },
  }).catch(() => ended.resolve());
  await ended.promise;
}

/** Returns the status once a response is complete, by content length or in chunks. */
export function makeReader(): (chunk: Buffer) => number | undefined {
  let status = 0;
  let left = 0;
  let chunked = false;
  return (chunk) => {
    if (status === 0) {
      const headEnd = chunk.indexOf('\r\n\r\n');
      const head = chunk.toString('latin1', 0, headEnd);
      status = Number(head.slice(9, 12));
      chunked = /\r\ntransfer-encoding: chunked/i.test(head);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      left = length - (chunk.length - headEnd - 4);
    } else left -= chunk.length;
    const whole = chunked ? chunk.subarray(-5).toString('latin1') === '0\r\n\r\n' : left <= 0;
    if (!whole) return undefined;
    const answered = status;
    status = 0;
    return answered;
  };
}
