// The load: kept connections that each send the same request again as soon as it is answered.

export interface Load {
  host: string;
  port: number;
  /** The requests as they go over the wire, sent in turn. */
  requests: readonly string[];
  connections: number;
  /** Ends after this time, or after this many answers, whichever comes first. */
  seconds: number;
  answers?: number;
}

export interface Measured {
  answers: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** Answers other than 200, and connections that broke. */
  failures: number;
}

export async function runLoad(load: Load): Promise<Measured> {
  const tally: Tally = { times: [], failures: 0, left: load.answers ?? Infinity };
  const began = performance.now();
  const until = began + load.seconds * 1000;
  const bytes = load.requests.map((request) => Buffer.from(request));
  let turn = 0;
  const next = () => bytes[turn++ % bytes.length] ?? Buffer.alloc(0);
  const one = () => drive(load, tally, until, next);
  await Promise.all(Array.from({ length: load.connections }, one));
  const elapsed_s = (performance.now() - began) / 1000;
  const times = Float64Array.from(tally.times).sort();
  const at = (share: number) => times[Math.floor(times.length * share)] ?? NaN;
  return {
    answers: times.length,
    per_second: times.length / elapsed_s,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    failures: tally.failures,
  };
}

interface Tally {
  times: number[];
  failures: number;
  left: number;
}

async function drive(load: Load, tally: Tally, until: number, next: () => Buffer): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const reader = makeReader();
  let sent_at = 0;
  const send = (socket: Bun.Socket) => {
    sent_at = performance.now();
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
        tally.times.push(now - sent_at);
        tally.left -= 1;
        if (status !== 200) tally.failures += 1;
        if (now >= until || tally.left <= 0) socket.end();
        else send(socket);
      },
      close: () => ended.resolve(),
      error: () => {
        tally.failures += 1;
        ended.resolve();
      },
      connectError: () => {
        tally.failures += 1;
        ended.resolve();
      },
    },
  }).catch(() => ended.resolve());
  await ended.promise;
}

/** Answers the status once a whole answer has come, of a told length or in chunks. */
function makeReader(): (chunk: Buffer) => number | undefined {
  let status = 0;
  let left = 0;
  let chunked = false;
  return (chunk) => {
    if (status === 0) {
      const head_end = chunk.indexOf('\r\n\r\n');
      const head = chunk.toString('latin1', 0, head_end);
      status = Number(head.slice(9, 12));
      chunked = /\r\ntransfer-encoding: chunked/i.test(head);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      left = length - (chunk.length - head_end - 4);
    } else left -= chunk.length;
    const whole = chunked ? chunk.subarray(-5).toString('latin1') === '0\r\n\r\n' : left <= 0;
    if (!whole) return undefined;
    const answered = status;
    status = 0;
    return answered;
  };
}
