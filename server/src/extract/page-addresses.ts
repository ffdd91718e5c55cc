// The URLs of an extraction: how each is spelled when it is sent, which are not sent at all, and
// how answers are matched to the URLs as the caller wrote them.
import { maxUrlLength, normalizeUrl } from '@trivium/contract';
import { pageNotAllowed } from '../requests/index.ts';
import type { AllowsPage } from '../policy/core/index.ts';
import type { ExtractOutcome } from './page-answer.ts';
import type { PageAnswer } from './page-answer.ts';

export interface PageAddresses {
  /** How each requested URL is sent: as a browser would spell it. */
  spelled: ReadonlyMap<string, string>;
  /** Why a URL is not sent. In a batch, the provider would refuse the others along with it. */
  unsent: ReadonlyMap<string, string>;
  /** The URLs that are sent, each once. */
  sent: readonly string[];
}

export function pageAddresses(
  urls: readonly string[],
  longest = maxUrlLength,
  allowsPage: AllowsPage = () => true,
): PageAddresses {
  const spelled = new Map(urls.map((url) => [url, normalizeUrl(url)]));
  const distinct = [...new Set(spelled.values())];
  const tooLong = `the provider accepts no address longer than ${longest} characters`;
  const unsent = new Map<string, string>();
  for (const url of distinct) {
    if (!allowsPage(url)) unsent.set(url, pageNotAllowed);
    else if (url.length > longest) unsent.set(url, tooLong);
  }
  return { spelled, unsent, sent: distinct.filter((url) => !unsent.has(url)) };
}

/** The answer for a URL as the caller spelled it. */
export function answerFor(
  { spelled }: PageAddresses,
  { answers }: ExtractOutcome,
  url: string,
): PageAnswer | undefined {
  const answer = answers.get(spelled.get(url) ?? url);
  if (!answer) return undefined;
  return answer.ok ? { ok: true, page: { ...answer.page, url } } : { ...answer, url };
}
