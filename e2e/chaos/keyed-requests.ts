// Requests with idempotency keys: each is retried under its key until it is answered.
import type { GatewayProcess } from '../harness.ts';

export type KeyedRequests = {
  /** Sends searches for this long; those without an answer are kept for `finish`. */
  send: (ms: number) => Promise<void>;
  /** Retries all unanswered requests until each is answered. */
  finish: () => Promise<void>;
  /** Repeats every answered request and lists the keys whose answer differs. */
  findLost: () => Promise<string[]>;
  answered: () => number;
};

const callers = 12;
const attemptLimitMs = 5000;
/** A claim whose gateway was killed before the hold expires after a minute. */
const finishLimitMs = 180_000;
const pauseMs = 100;
/** A short time budget, so that claims of a killed gateway expire soon. */
const defaultBudgetMs = 500;

/** `pick` chooses the gateway of each attempt. */
export function makeKeyedRequests(
  pick: () => GatewayProcess,
  budgetMs = defaultBudgetMs,
): KeyedRequests {
  const answers = new Map<string, string>();
  const open = new Set<string>();
  let made = 0;

  const sendOne = async (key: string): Promise<void> => {
    const answer = await ask(pick(), key, budgetMs);
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
      if (open.size > 0) throw new Error(`${open.size} requests were never answered.`);
    },
    findLost: async () => {
      const lost: string[] = [];
      await inTurns([...answers.keys()], async (key) => {
        const again = await ask(pick(), key, budgetMs);
        const same = again?.text === answers.get(key);
        if (!same || again?.headers.get('idempotent-replayed') !== 'true') lost.push(key);
      });
      return lost;
    },
    answered: () => answers.size,
  };
}

type Attempt = { status: number; text: string; headers: Headers };

/** Undefined when the connection broke, as it does when a gateway is killed. */
async function ask(
  gateway: GatewayProcess,
  key: string,
  budgetMs: number,
): Promise<Attempt | undefined> {
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
        provider_options: {
          fusion: { providers: ['engine_a', 'engine_b'], timeout_ms: budgetMs },
        },
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
