// Makes the texts of an answer fit a budget of tokens. A thread counts and cuts; it starts with the
// first budget, and one that fails or takes too long is ended and replaced by the next.
import type { Warning } from '@trivium/contract';
import { withTimeLimit } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';
import { cutAtSentence, shareBudget } from './core/share-budget.ts';
import type { FromTokenThread, ToTokenThread } from './token-thread.ts';

type Text = string | readonly string[] | undefined;
type Texts = ToTokenThread['texts'];

export interface TokenBudget {
  /** The texts that were cut, by their position. */
  fit: (texts: Texts, budget: number) => Promise<ReadonlyMap<number, string>>;
}

const maxWaiting = 32;
const timeLimitMs = 10_000;

export function makeTokenBudget(limits = { maxWaiting, timeLimitMs }): TokenBudget {
  let thread: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<FromTokenThread['cut']>>();
  const start = (): Worker => {
    const started = machine.startThread(new URL('./token-thread.ts', import.meta.url), {
      ref: false,
    });
    started.addEventListener('message', ({ data }: MessageEvent<FromTokenThread>) => {
      waiting.get(data.id)?.resolve(data.cut);
      waiting.delete(data.id);
    });
    started.addEventListener('error', () => end(started));
    return started;
  };
  /** What waits for it is cut by bytes. */
  const end = (ended: Worker) => {
    if (thread !== ended) return;
    thread = undefined;
    ended.terminate();
    for (const [id, { reject }] of waiting) {
      waiting.delete(id);
      reject(tooSlow());
    }
  };
  return {
    fit: async (texts, budget) => {
      // A token has at least one byte, so such texts fit.
      if (texts.reduce((sum, { text }) => sum + 3 * text.length, 0) <= budget) return new Map();
      if (waiting.size >= limits.maxWaiting) return fitByBytes(texts, budget);
      thread ??= start();
      lastId += 1;
      const id = lastId;
      const asked = Promise.withResolvers<FromTokenThread['cut']>();
      const used = thread;
      waiting.set(id, asked);
      used.postMessage({ id, texts, budget } satisfies ToTokenThread);
      try {
        return new Map(await withTimeLimit(asked.promise, limits.timeLimitMs, tooSlow));
      } catch {
        end(used);
        return fitByBytes(texts, budget);
      }
    },
  };
}

const tooSlow = () => new Error('tokens took too long to count');

/** Where tokens cannot be counted: a token has at least one byte, so this never exceeds it. */
function fitByBytes(texts: Texts, budget: number): Map<number, string> {
  const bytes = texts.map(({ text }) => Buffer.byteLength(text));
  const shares = shareBudget(
    texts.map(({ rank }, at) => ({ tokens: bytes[at] ?? 0, rank })),
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

/** Cuts the given fields of the items, in order; the items themselves are not changed. */
export async function fitItems<T extends object>(
  tokens: TokenBudget,
  items: readonly T[],
  fields: readonly (keyof T & string)[],
  budget: number,
): Promise<{ items: T[]; warnings: Warning[] }> {
  const places = items.flatMap((item, rank) =>
    fields.flatMap((field) =>
      textsOf(item[field] as Text).map((text, at) => ({ rank, field, at, text })),
    ),
  );
  const cut = await tokens.fit(places, budget);
  if (cut.size === 0) return { items: [...items], warnings: [] };
  const warnings: Warning[] = [];
  const fitted = items.map((item) => ({ ...item }));
  for (const [position, text] of cut) {
    const place = places[position];
    const item = place && fitted[place.rank];
    if (!place || !item) continue;
    const value = item[place.field] as Text;
    const isList = typeof value !== 'string';
    const changed = isList ? (value ?? []).map((one, at) => (at === place.at ? text : one)) : text;
    Object.assign(item, { [place.field]: changed });
    const path = `results[${place.rank}].${place.field}${isList ? `[${place.at}]` : ''}`;
    const message = `Cut from ${place.text.length} to ${text.length} characters to fit x-trivium-max-tokens.`;
    warnings.push({ code: 'results_post_filtered', param: path, message });
  }
  return { items: fitted, warnings };
}

function textsOf(value: Text): readonly string[] {
  if (value === undefined || value === null) return [];
  return typeof value === 'string' ? [value] : value;
}
