// The addresses of an extraction: how each is spelled when it is sent, which are not sent at all,
// and how answers find back to the addresses as they were asked for.
import { max_url_length, spellUrl } from '@trivium/contract';
import type { ExtractOutcome, PageAnswer } from './extract-pages.ts';

export interface PageAddresses {
  /** How each address asked for is sent: as a browser would spell it. */
  spelled: ReadonlyMap<string, string>;
  /** Why an address is not sent; left in a call, it would have the others refused too. */
  unsent: ReadonlyMap<string, string>;
  /** What is sent, each once. */
  sent: readonly string[];
}

export function pageAddresses(urls: readonly string[], longest = max_url_length): PageAddresses {
  const spelled = new Map(urls.map((url) => [url, spellUrl(url)]));
  const distinct = [...new Set(spelled.values())];
  const error = `the provider takes no address that is longer than ${longest} characters`;
  return {
    spelled,
    unsent: new Map(distinct.filter((url) => url.length > longest).map((url) => [url, error])),
    sent: distinct.filter((url) => url.length <= longest),
  };
}

/** What became of an address, by the spelling it was asked for in. */
export function answerFor(
  { spelled }: PageAddresses,
  { answers }: ExtractOutcome,
  url: string,
): PageAnswer | undefined {
  const answer = answers.get(spelled.get(url) ?? url);
  if (!answer) return undefined;
  return answer.ok ? { ok: true, page: { ...answer.page, url } } : { ...answer, url };
}
