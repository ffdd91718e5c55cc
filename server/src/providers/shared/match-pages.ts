// Matches the items of a vendor's answer to the requested URLs.
import { pageKey } from '@trivium/shared/page-key';

export type Match<Item> = readonly [item?: Item | undefined, at?: number];

/**
 * The item of each address and its position: the item with the same text, or else the one of the
 * same page, or else the one at the same position if there are as many items as addresses.
 */
export function matchPages<Item>(
  urls: readonly string[],
  items: readonly Item[],
  addressOf: (item: Item) => string | null | undefined,
): Match<Item>[] {
  const addresses = items.map((item) => addressOf(item) ?? '');
  const found: (number | undefined)[] = urls.map(() => undefined);
  const taken = new Set<number>();
  const assign = (place: number, at: number | undefined) => {
    if (at === undefined || found[place] !== undefined || taken.has(at)) return;
    found[place] = at;
    taken.add(at);
  };
  for (const nameOf of [(text: string) => text, pageKey]) {
    const waiting = Map.groupBy(
      addresses.keys().filter((at) => !taken.has(at)),
      (at) => nameOf(String(addresses[at])),
    );
    urls.forEach((url, place) => {
      if (found[place] === undefined) assign(place, waiting.get(nameOf(url))?.shift());
    });
  }
  if (items.length === urls.length) urls.forEach((_url, place) => assign(place, place));
  return found.map((at) => (at === undefined ? [] : [items[at], at]));
}
