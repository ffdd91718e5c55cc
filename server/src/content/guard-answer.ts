// Processes the texts from the web in an answer before the caller reads them: checks them according
// to the content mode, then cuts them to the token budget.
import type { ContentMode, Warning } from '@trivium/contract';
import type { RequestContext } from '../requests/index.ts';
import { guard } from './core/guard.ts';
import { pathOf, placesOf, withTexts } from './core/places.ts';
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
  { contentThread }: ContentContext,
  { mode, max_tokens: budget }: NonNullable<RequestContext['content']>,
  items: readonly T[],
  fields: readonly (keyof T & string)[],
): Promise<GuardedItems<T>> {
  const checked = mode
    ? await checkItems(contentThread, items, fields, mode)
    : { kept: [...items], blocked: new Map<number, string>(), warnings: [] };
  const { kept, blocked, warnings } = checked;
  if (budget === undefined) return { items: kept, blocked, warnings };
  const cut = fields.filter((field) => !field.endsWith('url'));
  const fitted = await fitItems(contentThread, kept, cut, budget);
  return { items: fitted.items, blocked, warnings: [...warnings, ...fitted.warnings] };
}

async function checkItems<T extends object>(
  thread: ContentThread,
  items: readonly T[],
  fields: readonly (keyof T & string)[],
  mode: ContentMode,
) {
  const places = placesOf(items, fields);
  const texts = places.map(({ text }) => text);
  return guard(items, places, await thread.scan(texts, mode === 'clean'), mode);
}

/** Cuts the given fields of the items, in order. The items themselves are not changed. */
async function fitItems<T extends object>(
  thread: ContentThread,
  items: readonly T[],
  fields: readonly (keyof T & string)[],
  budget: number,
): Promise<{ items: T[]; warnings: Warning[] }> {
  const places = placesOf(items, fields);
  const cut = await thread.fit(
    places.map(({ text, index }) => ({ text, rank: index })),
    budget,
  );
  const changes = places.flatMap((place, at) => {
    const text = cut.get(at);
    return text === undefined ? [] : [{ place, text }];
  });
  const warnings = changes.map(({ place, text }): Warning => {
    const message = `Cut from ${place.text.length} to ${text.length} characters to fit x-trivium-max-tokens.`;
    return { code: 'results_post_filtered', param: pathOf(place), message };
  });
  return { items: withTexts(items, changes), warnings };
}
