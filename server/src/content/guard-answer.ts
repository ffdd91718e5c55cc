// Processes the texts from the web in an answer before the caller reads them: checks them according
// to the content mode, then cuts them to the token budget.
import type { Warning } from '@trivium/contract';
import type { RequestContext } from '../requests/index.ts';
import { guard } from './core/guard.ts';
import { pathOf, placesOf, withTexts } from './core/places.ts';
import type { KeepText } from './scan-once.ts';
import type { ContentThread } from './use-thread.ts';

export interface ContentContext {
  contentThread: ContentThread;
}

interface GuardedItems<T> {
  items: T[];
  /** The positions of the removed items, and why they were removed. */
  blocked: ReadonlyMap<number, string>;
  warnings: Warning[];
}

export async function guardItems<T extends object>(
  { contentThread: thread }: ContentContext,
  { content, caller }: RequestContext,
  items: readonly T[],
  fields: readonly (keyof T & string)[],
  /** For an answer that is cached. */
  keep?: KeepText,
): Promise<GuardedItems<T>> {
  const { mode, max_tokens: budget } = content ?? {};
  const { account_id } = caller;
  const places = mode ? placesOf(items, fields) : [];
  const texts = places.map(({ text }) => text);
  const checked = mode
    ? guard(items, places, await thread.scan(texts, mode === 'clean', account_id, keep), mode)
    : { kept: [...items], blocked: new Map<number, string>(), warnings: [] };
  const { kept, blocked, warnings } = checked;
  if (budget === undefined) return { items: kept, blocked, warnings };
  const cut = fields.filter((field) => !field.endsWith('url'));
  const fitted = await fitItems(thread, kept, cut, budget, account_id);
  return { items: fitted.items, blocked, warnings: [...warnings, ...fitted.warnings] };
}

/** Cuts the given fields of the items, in order. The items themselves are not changed. */
async function fitItems<T extends object>(
  thread: ContentThread,
  items: readonly T[],
  fields: readonly (keyof T & string)[],
  budget: number,
  account: string,
): Promise<{ items: T[]; warnings: Warning[] }> {
  const places = placesOf(items, fields);
  const ranked = places.map(({ text, index }) => ({ text, rank: index }));
  const { cut, isCounted } = await thread.fit(ranked, budget, account);
  const changes = places.flatMap((place, at) => {
    const text = cut.get(at);
    return text === undefined ? [] : [{ place, text }];
  });
  const warnings = changes.map(({ place, text }): Warning => {
    const why = isCounted ? '' : ', because the tokens could not be counted in time';
    const message = `Cut from ${place.text.length} to ${text.length} characters to fit x-trivium-max-tokens${why}.`;
    return { code: 'results_post_filtered', param: pathOf(place), message };
  });
  return { items: withTexts(items, changes), warnings };
}
