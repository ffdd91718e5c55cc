// Finds which item of a vendor's answer belongs to which address that was asked for.
import { pageKey } from './page-key.ts';

/**
 * For each address the position of its item: the one with the same text, else the one of the same
 * page, else the one in the same place when the answer has as many items as were asked for.
 */
export function matchPages(
  urls: readonly string[],
  items: readonly (string | null | undefined)[],
): (number | undefined)[] {
  const free = new Set(items.keys());
  const found: (number | undefined)[] = urls.map(() => undefined);
  const claim = (fits: (url: string, item: string, at: number, place: number) => boolean) => {
    urls.forEach((url, place) => {
      if (found[place] !== undefined) return;
      const at = [...free].find((free_at) => fits(url, items[free_at] ?? '', free_at, place));
      if (at === undefined) return;
      found[place] = at;
      free.delete(at);
    });
  };
  claim((url, item) => url === item);
  claim((url, item) => pageKey(url) === pageKey(item));
  if (items.length === urls.length) claim((_url, _item, at, place) => at === place);
  return found;
}
