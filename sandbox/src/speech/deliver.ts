// Deliveries to whoever submitted a recording: repeated as each vendor does it, and spoilt on
// demand.
import type { World } from '../world.ts';
import { paceOf, retriesIn } from './work.ts';

export type Delivery = {
  mount: string;
  url: string;
  /** Made anew for each try, as signatures carry the time. */
  headers: (forged: boolean) => Record<string, string>;
  body: string;
  /** Tries in all; one means that it is never repeated. */
  tries: number;
  /** Whether an answer ends the tries although it is no success. */
  gives_up_on: (status: number) => boolean;
  /** Told after each try. */
  tried?: (tries: number, status: number | undefined) => void;
};

export function deliverLater(world: World, delay_ms: number, delivery: Delivery): void {
  world.later(delay_ms, async () => {
    const fault = world.callbackFault(delivery.mount)?.fault;
    if (fault === 'callback_never') {
      // As if every try had been lost on the way.
      delivery.tried?.(delivery.tries, undefined);
      return;
    }
    if (fault === 'callback_late') {
      world.later(LATE_MS, () => attempt(world, delivery, 1, false));
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
  const status = await post(delivery, forged);
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

async function post(delivery: Delivery, forged: boolean): Promise<number | undefined> {
  if (new URL(delivery.url).hostname.endsWith('.invalid')) return undefined;
  try {
    const response = await fetch(delivery.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...delivery.headers(forged) },
      body: delivery.body,
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

const ANSWER_LIMIT_MS = 10_000;
const LATE_MS = 3000;
