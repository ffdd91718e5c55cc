// What a vendor can use: the corpus, and the per-sandbox memory of stateful vendors.
import type { Fault } from './faults.ts';
import { callback } from './faults.ts';
import type { Faults } from './faults.ts';
import { readPage } from './pages.ts';
import type { Reading } from './pages.ts';
import type { Found, Question } from './ranking.ts';
import { rank } from './ranking.ts';
import type { Reader } from './reader/reader.ts';
import { openKeptCallbacks } from './speech/kept-callbacks.ts';
import type { KeptCallbacks } from './speech/kept-callbacks.ts';

export type World = {
  now: () => Date;
  /** True while the `empty` fault is on: searches find nothing, pages have no content. */
  empty: boolean;
  /** True while the `failing` fault is on: recordings accepted now will fail. */
  failing: boolean;
  /** True while the `unnamed` fault is on: recordings accepted now get no id. */
  unnamed: boolean;
  /** The fault of the next callback from this mount. */
  callbackFault: (mount: string) => Fault | undefined;
  search: (question: Question) => Found;
  read: (url: string) => Promise<Reading>;
  /** Reads pages of the public web, if the reader is on. */
  reader?: Reader;
  /** State of one sandbox, created on first use; vendors keep their jobs and webhooks in it. */
  memory: <State>(name: string, make: () => State) => State;
  /** The gateway that the sandbox is part of; undefined until it listens. */
  gateway?: Gateway;
  /** Pending callbacks. */
  kept: KeptCallbacks;
  /** Runs a task after a delay unless the sandbox stops first, as a vendor's callback would. */
  later: (delayMs: number, task: () => Promise<void>) => void;
};

/** Where the sandbox finds the gateway that it is part of, whatever its port is. */
export type Gateway = {
  url: () => string | undefined;
  /** Signs the webhooks of ElevenLabs. */
  webhook_secret: string;
};

export type Universe = {
  seen: (empty: boolean, failing?: boolean, unnamed?: boolean) => World;
  stop: () => void;
};

export function createUniverse(
  now: () => Date,
  reader?: Reader,
  faults?: Faults,
  gateway?: Gateway,
  kept: KeptCallbacks = openKeptCallbacks(undefined),
): Universe {
  const memories = new Map<string, unknown>();
  const timers = new Set<ReturnType<typeof setTimeout>>();

  const later: World['later'] = (delayMs, task) => {
    if (timers.size >= maxTimers) throw new Error(`More than ${maxTimers} tasks are waiting.`);
    const timer = setTimeout(() => {
      timers.delete(timer);
      task().catch((error: unknown) => process.stderr.write(`sandbox: ${String(error)}\n`));
    }, delayMs);
    timers.add(timer);
  };

  function memory<State>(name: string, make: () => State): State {
    if (!memories.has(name)) memories.set(name, make());
    return memories.get(name) as State;
  }

  return {
    seen: (empty, failing = false, unnamed = false) => ({
      now,
      empty,
      failing,
      unnamed,
      callbackFault: (mount) => faults?.take(mount, { method: callback, path: '/' }),
      search: (question) => (empty ? { hits: [], total: 0 } : rank(question, now())),
      read: (url) => readPage(url, now(), empty),
      ...(reader === undefined ? {} : { reader }),
      memory,
      ...(gateway === undefined ? {} : { gateway }),
      kept,
      later,
    }),
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

const maxTimers = 10_000;
