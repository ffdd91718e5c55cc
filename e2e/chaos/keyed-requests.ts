// Requests under idempotency keys: each is sent again under its key until it has its answer.
import type { Gateway } from '../harness.ts';

export type KeyedRequests = {
  /** Sends searches for this long; those without an answer are kept for `finish`. */
  send: (ms: number) => Promise<void>;
  /** Tries everything that is still open until each has its answer. */
  finish: () => Promise<void>;
  /** Asks for every answer once more and lists the keys whose answer is not the same. */
  findLost: () => Promise<string[]>;
  answered: () => number;
};

const callers = 12;
const attemptLimitMs = 5000;
/** A claim whose gateway died before the hold is left to others after a minute. */
const finishLimitMs = 180_000;
const pauseMs = 100;
/** A short time budget, so that what a dead gateway left running is soon free again. */
const fusion = { providers: ['engine_a', 'engine_b'], timeout_ms: 500 };

/** `pick` says which gateway is asked, anew for each attempt. */
export function makeKeyedRequests(pick: () => Gateway): KeyedRequests {
  const answers = new Map<string, string>();
  const open = new Set<string>();
  let made = 0;

  const sendOne = async (key: string): Promise<void> => {
    const answer = await ask(pick(), key);
    if (answer?.status !== 200) return;
    open.delete(key);
    answers.set(key, answer.text);
  };
  return {
    send: async (ms) => {
      const until = Date.now() + ms;
      const caller = async () => {
        while (Date.now() < until) {
          made += 1;
          const key = `request-${made}`;
          open.add(key);
          await sendOne(key);
        }
      };
      await Promise.all(Array.from({ length: callers }, caller));
    },
    finish: async () => {
      const until = Date.now() + finishLimitMs;
      while (open.size > 0 && Date.now() < until) {
        await inTurns([...open], sendOne);
        if (open.size > 0) await Bun.sleep(pauseMs);
      }
      if (open.size > 0) throw new Error(`${open.size} requests never got their answer.`);
    },
    findLost: async () => {
      const lost: string[] = [];
      await inTurns([...answers.keys()], async (key) => {
        const again = await ask(pick(), key);
        const same = again?.text === answers.get(key);
        if (!same || again?.headers.get('idempotent-replayed') !== 'true') lost.push(key);
      });
      return lost;
    },
    answered: () => answers.size,
  };
}

type Attempt = { status: number; text: string; headers: Headers };

/** Undefined when the connection broke, which is all a caller of a dying gateway sees. */
async function ask(gateway: Gateway, key: string): Promise<Attempt | undefined> {
  try {
    const response = await fetch(`${gateway.url}/v1/search`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.key}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({
        query: key,
        provider: 'fusion',
        provider_options: { fusion: fusion },
      }),
      signal: AbortSignal.timeout(attemptLimitMs),
    });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  } catch {
    await Bun.sleep(pauseMs / 10);
    return undefined;
  }
}

async function inTurns<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const caller = async () => {
    for (let item = items.pop(); item !== undefined; item = items.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
