// Sends callbacks for finished recordings, with each vendor's retries, and with faults on demand.
import type { World } from '../world.ts';
import { paceOf, retriesIn } from './work.ts';

export type Delivery = {
  mount: string;
  url: string;
  /** Created for each attempt, because signatures contain the time. */
  headers: (forged: boolean) => Record<string, string>;
  body: string;
  /** The number of attempts; 1 means no retries. */
  tries: number;
  /** Whether a response ends the attempts although it is not a success. */
  gives_up_on: (status: number) => boolean;
  /** Called after each attempt. */
  tried?: (tries: number, status: number | undefined) => void;
};

export function deliverLater(world: World, delayMs: number, delivery: Delivery): void {
  world.later(delayMs, async () => {
    const fault = world.callbackFault(delivery.mount)?.fault;
    if (fault === 'callback_never') {
      // As if every attempt had been lost.
      delivery.tried?.(delivery.tries, undefined);
      return;
    }
    if (fault === 'callback_late') {
      world.later(lateMs, () => attempt(world, delivery, 1, false));
      return;
    }
    if (fault === 'callback_forged') await attempt(world, { ...delivery, tries: 1 }, 1, true);
    if (fault === 'callback_twice') await attempt(world, { ...delivery, tries: 1 }, 1, false);
    await attempt(world, delivery, 1, false);
  });
}

async function attempt(
  world: World,
  delivery: Delivery,
  number: number,
  forged: boolean,
): Promise<void> {
  const url = addressOf(world, delivery.url);
  // The gateway is starting: that does not count as an attempt.
  if (url === 'not yet') {
    world.later(untilItListensMs, () => attempt(world, delivery, number, forged));
    return;
  }
  const status = url === undefined ? undefined : await post({ ...delivery, url }, forged);
  if (!forged) delivery.tried?.(number, status);
  const done = status !== undefined && (status < 300 || delivery.gives_up_on(status));
  if (done || number >= delivery.tries) return;
  const retries = retriesIn(world);
  const again = async () => {
    if (retries.delete(again)) await attempt(world, delivery, number + 1, forged);
  };
  retries.add(again);
  world.later(paceOf(world).retry_every_ms, again);
}

/**
 * A gateway without a public address uses a host in `.invalid`; its own sandbox knows the address.
 */
function addressOf({ gateway }: World, url: string): string | undefined {
  const { hostname, pathname, search } = new URL(url);
  if (!hostname.endsWith('.invalid')) return url;
  if (!gateway) return undefined;
  const base = gateway.url();
  return base === undefined ? 'not yet' : base + pathname + search;
}

const untilItListensMs = 50;

async function post(delivery: Delivery, forged: boolean): Promise<number | undefined> {
  try {
    const response = await fetch(delivery.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...delivery.headers(forged) },
      body: delivery.body,
      signal: AbortSignal.timeout(answerLimitMs),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

const answerLimitMs = 10_000;
const lateMs = 3000;
