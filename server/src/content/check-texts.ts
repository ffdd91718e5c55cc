// Processes the texts from the web in an answer before the caller reads them: checks them according
// to the content mode, then cuts them to the token budget. A transcript is checked as its text and
// its words.
import { type ContentMode, type GatewayError, type Warning, tryLater } from '@trivium/contract';
import type { CurrentRequest } from '../requests/index.ts';
import {
  describeIn,
  describeSignals,
  guard,
  pathInResults,
  textPlaces,
  withTexts,
  type Guarded,
} from './core/guard.ts';
import { isUnchecked } from './core/scan.ts';
import { joinSignals } from './core/signals.ts';
import type { ContentThread, KeepText } from './use-thread.ts';

export interface ContentContext {
  contentThread: ContentThread;
}

export async function guardItems<T extends object>(
  { contentThread: thread }: ContentContext,
  { content, caller }: CurrentRequest,
  items: readonly T[],
  fields: readonly (keyof T & string)[],
  /** For an answer that is cached. */
  keep?: KeepText,
): Promise<Guarded<T>> {
  const { mode, max_tokens: budget } = content ?? {};
  const { account_id } = caller;
  const places = mode ? textPlaces(items, fields) : [];
  const texts = places.map(({ text }) => text);
  const checked: Guarded<T> = mode
    ? guard(items, places, await thread.scan(texts, mode === 'clean', account_id, keep), mode)
    : { items: [...items], blocked: new Map(), warnings: [] };
  if (budget === undefined) return checked;
  const cut = fields.filter((field) => !field.endsWith('url'));
  const fitted = await fitItems(thread, checked.items, cut, budget, account_id);
  return { ...checked, items: fitted.items, warnings: [...checked.warnings, ...fitted.warnings] };
}

/** Cuts the given fields of the items, in order. The items themselves are not changed. */
async function fitItems<T extends object>(
  thread: ContentThread,
  items: readonly T[],
  fields: readonly (keyof T & string)[],
  budget: number,
  account: string,
): Promise<{ items: T[]; warnings: Warning[] }> {
  const places = textPlaces(items, fields);
  const ranked = places.map(({ text, index }) => ({ text, rank: index }));
  const { cut, isCounted } = await thread.fit(ranked, budget, account);
  const changes = places.flatMap((place, at) => {
    const text = cut.get(at);
    return text === undefined ? [] : [{ place, text }];
  });
  const warnings = changes.map(({ place, text }): Warning => {
    const why = isCounted ? '' : ', because the tokens could not be counted in time';
    const message = `Cut from ${place.text.length} to ${text.length} characters to fit x-trivium-max-tokens${why}.`;
    return { code: 'results_post_filtered', param: pathInResults(place), message };
  });
  return { items: withTexts(items, changes), warnings };
}

interface Spoken {
  text: string;
  words?: { text: string }[] | undefined;
}

interface CheckedTranscript<T> {
  transcript: T;
  /** What was found, as text. Undefined if nothing was. */
  found: string | undefined;
  /** True if the caller may not read it. */
  isBlocked: boolean;
}

/** Throws if the mode is `clean` and a text could not be checked. */
export async function checkTranscript<T extends Spoken>(
  { contentThread }: ContentContext,
  account: string,
  transcript: T,
  mode: ContentMode,
): Promise<CheckedTranscript<T>> {
  const { text, words } = transcript;
  // The words of a provider may contain what is not in its text.
  const spoken = words?.map((word) => word.text).join(' ') ?? '';
  const texts = spoken === text ? [text] : [text, spoken];
  const [first, second] = await contentThread.scan(texts, mode === 'clean', account);
  const own = first?.signals ?? [];
  const others = (second?.signals ?? []).filter(({ id }) => !own.some((one) => one.id === id));
  const signals = joinSignals([...own, ...others]);
  if (signals.length === 0) return { transcript, found: undefined, isBlocked: false };
  if (mode === 'block') return { transcript, found: describeSignals(signals), isBlocked: true };
  const found = describeIn(signals, mode);
  if (mode === 'annotate') return { transcript, found, isBlocked: false };
  const each = words?.map((word) => word.text) ?? [];
  const scanned = await contentThread.scan(each, true, account);
  if ([{ signals }, ...scanned].some((one) => isUnchecked(one.signals))) throw notCleaned();
  const cleaned = words?.map((word, at) => ({ ...word, text: scanned[at]?.cleaned ?? word.text }));
  const changed = { text: first?.cleaned ?? text, ...(cleaned ? { words: cleaned } : {}) };
  return { transcript: { ...transcript, ...changed }, found, isBlocked: false };
}

function notCleaned(): GatewayError {
  const message =
    'The transcript could not be cleaned in time. Try again in a few seconds, ' +
    'or read it with x-trivium-content: annotate.';
  return tryLater('provider_not_available', message, 2);
}
