// The answer to an extraction: for each URL, what was requested of its page, or why it failed.
import { normalizeUrl, type ExtractRequest, type Warning } from '@trivium/contract';
import type { CheckedCost, Done } from '../billing/index.ts';
import { type ContentContext, guardItems, type KeepText } from '../content/index.ts';
import type { ExtractAsk } from '../negotiation/index.ts';
import { cutTo, filled, leftOutWarning, type Page } from '../providers/index.ts';
import type { CurrentRequest } from '../requests/index.ts';
import type { Refusal } from '../upstream/core/index.ts';
import type { ExtractPlan } from './extract-plan.ts';

/** A page with the vendor's own object, as the text that was received. */
export type Extracted = Omit<Page, 'reply' | 'item'> & { url: string; raw: string };

export type PageAnswer = { ok: true; page: Extracted } | { ok: false; url: string; error: string };

export interface ExtractOutcome {
  /** One answer for each distinct URL. */
  answers: Map<string, PageAnswer>;
  cost: CheckedCost;
  /** The vendor's own warnings, with the pages of their call. */
  warnings: { urls: readonly string[]; warning: Warning }[];
  /** How many items of the provider's answers could not be read, and how many there were. */
  leftOut: number;
  of: number;
  /** Set if every call failed for a reason that is not about the pages. */
  refusal?: Refusal;
}

/** The answer for a URL as the caller spelled it. */
export function answerFor(
  { addresses: { spelled } }: ExtractPlan,
  { answers }: ExtractOutcome,
  url: string,
): PageAnswer | undefined {
  const answer = answers.get(spelled.get(url) ?? url);
  if (!answer) return undefined;
  return answer.ok ? { ok: true, page: { ...answer.page, url } } : { ...answer, url };
}

/**
 * For a token budget, if the provider has no excerpts: passages of the page that answer the query.
 * The warning that the provider ignores the parameter stays. A page that takes too long has none.
 */
export async function withPassages(
  { contentThread }: ContentContext,
  account: string,
  { urls, query, content }: ExtractRequest,
  asked: PageAnswer[],
  foundAt: (url: string) => PageAnswer | undefined,
): Promise<PageAnswer[]> {
  const wanted = content?.excerpts;
  if (!query || !wanted) return asked;
  const texts = asked.map((answer, at) => {
    const found = foundAt(urls[at] ?? '');
    const isWanted = answer.ok && found?.ok && !answer.page.excerpts?.length;
    return isWanted ? (found.page.content ?? '') : '';
  });
  const count = wanted.max_per_url ?? defaultPassages;
  const chosen = await contentThread.choose(texts, query, count, account);
  return asked.map((answer, at): PageAnswer => {
    const passages = chosen[at] ?? [];
    if (!answer.ok || passages.length === 0) return answer;
    return { ok: true, page: { ...answer.page, excerpts: capExcerpts(passages, wanted) } };
  });
}

const defaultPassages = 5;
const foreignTexts = ['final_url', 'title', 'content', 'excerpts', 'summary', 'author'] as const;

/** The pages after the content checks that the caller asked for. Most callers ask for none. */
export async function checkedPages(
  context: ContentContext,
  currentRequest: CurrentRequest,
  answers: PageAnswer[],
  keep: KeepText | undefined,
): Promise<{ answers: PageAnswer[]; warnings: Warning[] }> {
  if (!currentRequest.content) return { answers, warnings: [] };
  const pages = answers.flatMap((answer) => (answer.ok ? [answer.page] : []));
  const { items, blocked, warnings } = await guardItems(
    context,
    currentRequest,
    pages,
    foreignTexts,
    keep,
  );
  const passed = items.values();
  let at = -1;
  const checked = answers.map((answer): PageAnswer => {
    if (!answer.ok) return answer;
    at += 1;
    const reason = blocked.get(at);
    if (reason === undefined) return { ok: true, page: passed.next().value ?? answer.page };
    return { ok: false, url: answer.page.url, error: `blocked by the content mode: ${reason}` };
  });
  return { answers: checked, warnings };
}

/** `raw` is returned exactly as received. */
export function answerOf(
  plan: ExtractPlan,
  outcome: ExtractOutcome,
  { answers, warnings: flagged }: { answers: PageAnswer[]; warnings: Warning[] },
  id: string,
): Done {
  const results = answers.flatMap((answer) => {
    if (!answer.ok) return [];
    const { raw, ...page } = answer.page;
    return `${JSON.stringify(page).slice(0, -1)},"raw":${raw}}`;
  });
  const failed = answers.flatMap((answer) =>
    answer.ok ? [] : [{ url: answer.url, error: answer.error }],
  );
  const warnings = [
    ...plan.warnings,
    ...undelivered(answers, plan.ask, plan.warnings),
    ...leftOutWarning(outcome.leftOut, outcome.of),
    // Pages of one call share its warnings.
    ...new Map(outcome.warnings.map(({ warning }) => [JSON.stringify(warning), warning])).values(),
    ...flagged,
  ];
  return {
    cost: outcome.cost,
    warnings,
    delivered: results.length,
    pieces: results,
    write: (usage, latencyMs) => {
      const head = `{"id":"${id}","provider":"${plan.chosen.provider.id}"`;
      const rest = JSON.stringify({ failed, warnings, usage, latency_ms: latencyMs });
      return `${head},"results":[${results.join(',')}],${rest.slice(1)}`;
    },
  };
}

/**
 * Keeps only what was requested, within its limits. A page with none of it is a failure, not an
 * empty result.
 */
export function asAsked(answer: PageAnswer | undefined, url: string, ask: ExtractAsk): PageAnswer {
  if (!answer) return { ok: false, url, error: 'the provider returned nothing for this address' };
  if (!answer.ok) return answer;
  const { content, excerpts, summary, final_url, links, images, ...page } = answer.page;
  const wanted = ask['content.excerpts'];
  const kept = {
    content: ask['content.full_text'] ? filled(content) : undefined,
    excerpts: wanted && excerpts && capExcerpts(excerpts, wanted),
    summary: ask['content.summary'] ? filled(summary) : undefined,
  };
  if (!filled(content) && !kept.summary && !kept.excerpts?.length) {
    return { ok: false, url, error: 'the page has no content' };
  }
  const maxChars = ask['content.max_chars'];
  if (kept.content !== undefined && maxChars !== undefined) {
    kept.content = cutTo(kept.content, maxChars);
  }
  return {
    ok: true,
    page: {
      ...page,
      ...kept,
      final_url: final_url === url || final_url === normalizeUrl(url) ? undefined : final_url,
      links: ask.include_links ? links : undefined,
      images: ask.include_images ? images : undefined,
    },
  };
}

/**
 * Content that the provider supports but that is missing from a page: one warning for each
 * parameter.
 */
export function undelivered(
  answers: readonly PageAnswer[],
  ask: ExtractAsk,
  given: readonly Warning[],
): Warning[] {
  const pages = answers.flatMap((answer) => (answer.ok ? [answer.page] : []));
  return partsOfAPage.flatMap(([param, part]): Warning[] => {
    const without = pages.filter((page) => page[part] === undefined).length;
    const known = given.some((warning) => warning.param === param);
    if (!ask[param] || without === 0 || known) return [];
    const message = `The provider could not return it for ${without} of ${pages.length} pages.`;
    return [{ code: 'param_approximated', param, message }];
  });
}

const partsOfAPage = [
  ['content.full_text', 'content'],
  ['content.excerpts', 'excerpts'],
  ['content.summary', 'summary'],
] as const;

interface ExcerptCaps {
  max_per_url?: number | undefined;
  max_chars_per_excerpt?: number | undefined;
}

function capExcerpts(
  excerpts: readonly string[],
  { max_per_url, max_chars_per_excerpt }: ExcerptCaps,
): string[] {
  return excerpts
    .slice(0, max_per_url)
    .map((text) =>
      max_chars_per_excerpt === undefined ? text : cutTo(text, max_chars_per_excerpt),
    );
}
