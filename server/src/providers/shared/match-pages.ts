// Matches the items of a vendor's answer to the requested URLs.
import { pageKey } from '@trivium/shared/page-key';

/**
 * The position of each address's item: the item with the same text, or else the one of the same
 * page, or else the one at the same position if the answer has as many items as were requested.
 */
export function matchPages(
  urls: readonly string[],
  items: readonly (string | null | undefined)[],
): (number | undefined)[] {
  const found: (number | undefined)[] = urls.map(() => undefined);
  const taken = new Set<number>();
  const claim = (place: number, at: number | undefined) => {
    if (at === undefined || found[place] !== undefined || taken.has(at)) return;
    found[place] = at;
    taken.add(at);
  };
  for (const nameOf of [(text: string) => text, pageKey]) {
    const waiting = placesByName(items, taken, nameOf);
    urls.forEach((url, place) => {
      if (found[place] === undefined) claim(place, waiting.get(nameOf(url))?.shift());
    });
  }
  if (items.length === urls.length) urls.forEach((_url, place) => claim(place, place));
  return found;
}

/** The unmatched items by page key; each key is computed once. */
function placesByName(
  items: readonly (string | null | undefined)[],
  taken: ReadonlySet<number>,
  nameOf: (text: string) => string,
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  items.forEach((item, at) => {
    if (taken.has(at)) return;
    const name = nameOf(item ?? '');
    const known = places.get(name);
    if (known) known.push(at);
    else places.set(name, [at]);
  });
  return places;
}
