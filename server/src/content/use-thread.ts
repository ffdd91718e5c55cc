// Moves long work on texts from the web to a thread. The thread starts with the first work. If it
// fails or takes too long, it is ended, and the next work starts a new one.
import { shareBudget } from '@trivium/contract';
import { nextTurn, withTimeLimit } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';
import type {
  FromContentThread,
  Outcome,
  RankedText,
  ToContentThread,
  Work,
} from './content-thread.ts';
import { cutAtSentence } from './core/cut-at-sentence.ts';
import { scanTexts } from './core/scan-texts.ts';
import type { ScannedText } from './core/scan-texts.ts';

export interface ContentThread {
  /** The texts that were cut to fit the budget, by their position. */
  fit: (texts: readonly RankedText[], budget: number) => Promise<ReadonlyMap<number, string>>;
  scan: (texts: readonly string[], isCleaned: boolean) => Promise<ScannedText[]>;
}

const maxWaiting = 32;
const timeLimitMs = 10_000;

/** Shorter texts are scanned at once: about two milliseconds, and 40 for a hostile page. */
const maxCharsAtOnce = 100_000;

export function makeContentThread(limits = { maxWaiting, timeLimitMs }): ContentThread {
  let thread: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<FromContentThread['outcome']>>();
  const start = (): Worker => {
    const started = machine.startThread(new URL('./content-thread.ts', import.meta.url), {
      ref: false,
    });
    started.addEventListener('message', ({ data }: MessageEvent<FromContentThread>) => {
      waiting.get(data.id)?.resolve(data.outcome);
      waiting.delete(data.id);
    });
    started.addEventListener('error', () => end(started));
    return started;
  };
  /** Work that waits for the thread is done in another way. */
  const end = (ended: Worker) => {
    if (thread !== ended) return;
    thread = undefined;
    ended.terminate();
    for (const [id, { reject }] of waiting) {
      waiting.delete(id);
      reject(tooSlow());
    }
  };
  /** Undefined if the thread has too much work, or fails. */
  const ask = async <Kind extends keyof Work>(
    kind: Kind,
    work: Work[Kind],
  ): Promise<Outcome[Kind] | undefined> => {
    if (waiting.size >= limits.maxWaiting) return undefined;
    thread ??= start();
    lastId += 1;
    const id = lastId;
    const asked = Promise.withResolvers<FromContentThread['outcome']>();
    const used = thread;
    waiting.set(id, asked);
    used.postMessage({ id, work: { [kind]: work } } satisfies ToContentThread);
    try {
      const outcome = await withTimeLimit(asked.promise, limits.timeLimitMs, tooSlow);
      return outcome as Outcome[Kind];
    } catch {
      end(used);
      return undefined;
    }
  };
  return {
    fit: async (texts, budget) => {
      // A token has at least one byte, so such texts fit.
      if (texts.reduce((sum, { text }) => sum + 3 * text.length, 0) <= budget) return new Map();
      const cut = await ask('fit', { texts, budget });
      return cut ? new Map(cut) : fitByBytes(texts, budget);
    },
    scan: async (texts, isCleaned) => {
      const chars = texts.reduce((sum, { length }) => sum + length, 0);
      if (chars <= maxCharsAtOnce) return scanTexts(texts, isCleaned);
      return (await ask('scan', { texts, isCleaned })) ?? scanInTurns(texts, isCleaned);
    },
  };
}

const tooSlow = () => new Error('checking texts from the web took too long');

/** A text is never returned unchecked, whatever the thread does. */
async function scanInTurns(texts: readonly string[], isCleaned: boolean): Promise<ScannedText[]> {
  const scanned: ScannedText[] = [];
  for (const text of texts) {
    scanned.push(...scanTexts([text], isCleaned));
    await nextTurn();
  }
  return scanned;
}

/**
 * Used if tokens cannot be counted: a token has at least one byte, so the budget is never exceeded.
 */
function fitByBytes(texts: readonly RankedText[], budget: number): Map<number, string> {
  const bytes = texts.map(({ text }) => Buffer.byteLength(text));
  const shares = shareBudget(
    texts.map(({ rank }, at) => ({ length: bytes[at] ?? 0, rank })),
    budget,
  );
  const cut = new Map<number, string>();
  for (const [at, { text }] of texts.entries()) {
    const share = shares[at] ?? 0;
    // A character has at most three bytes for each of its code units.
    if ((bytes[at] ?? 0) > share) cut.set(at, cutAtSentence(text.slice(0, Math.floor(share / 3))));
  }
  return cut;
}
