// Extracts pages through the cache, with one entry for each page. Only pages that were read are
// stored.
import { normalizeUrl, type ExtractRequest } from '@trivium/contract';
import { type Amount, assertAmount, zeroAmount } from '../billing/core/index.ts';
import { StoredWarning } from '../requests/index.ts';
import { z } from 'zod';
import { readJson } from '../store/index.ts';
import { sumOfCosts } from '../billing/index.ts';
import type { CacheUse } from '../cache/index.ts';
import type { ExtractPlan } from './extract-plan.ts';
import type { Extracted, ExtractOutcome } from './extract-answer.ts';
import { callsMs } from '../platform/time-limits.ts';

export type CachedPages = ReturnType<typeof cachedPages>;

/** The entries of one extraction. */
export function cachedPages(
  use: CacheUse,
  { urls: _urls, provider: _provider, provider_options: options, ...request }: ExtractRequest,
) {
  const optionsOf: Readonly<Record<string, unknown>> = options ?? {};
  /** Takes the URL as it is sent to the provider. */
  const idOf = (provider: string, url: string) =>
    use.idOf(provider, {
      ...request,
      url,
      options: Object.hasOwn(optionsOf, provider) ? optionsOf[provider] : undefined,
    });
  const isKnown = (provider: string, url: string) => use.knows(idOf(provider, url));
  return { use, idOf, isKnown };
}

/** A stored page: its share of the price of the call, and the vendor's warnings. */
const StoredPage = z.object({
  page: z.object({
    url: z.string(),
    final_url: z.string().optional(),
    title: z.string().optional(),
    content: z.string().optional(),
    excerpts: z.array(z.string()).optional(),
    summary: z.string().optional(),
    published_date: z.string().optional(),
    author: z.string().optional(),
    links: z.array(z.string()).optional(),
    images: z.array(z.string()).optional(),
    raw: z.string(),
  } satisfies Record<keyof Extracted, z.ZodType>),
  warnings: z.array(StoredWarning),
  cost: z.number(),
});
type StoredPage = z.infer<typeof StoredPage>;

/** Throws if the text is not a page that this version stores. */
export function readPage(text: string): StoredPage & { cost: Amount } {
  const { cost, ...page } = readJson('A cached page', StoredPage.parse, text);
  return { ...page, cost: assertAmount(cost, 'the cost of a cached page') };
}

export async function extractThrough(
  settings: Parameters<typeof sumOfCosts>[0],
  { use, idOf }: CachedPages,
  plan: ExtractPlan,
  urls: readonly string[],
  fetch: (urls: string[]) => Promise<ExtractOutcome>,
): Promise<ExtractOutcome> {
  const { id: provider } = plan.chosen.provider;
  const urlOf = new Map(urls.map(normalizeUrl).map((url) => [idOf(provider, url), url]));
  const fetched: ExtractOutcome[] = [];
  const fetchPages = async (ids: readonly string[]) => {
    const wanted = ids.flatMap((id) => urlOf.get(id) ?? []);
    const outcome = await fetch(wanted);
    fetched.push(outcome);
    const stored = storedPages(outcome);
    return new Map(
      wanted.flatMap((url) => {
        const page = stored.get(url);
        return page ? [[idOf(provider, url), JSON.stringify(page)] as const] : [];
      }),
    );
  };
  const values = await use.fill([...urlOf.keys()], fetchPages, callsMs(plan.time));
  const merged = mergeOutcomes(fetched);
  const costs = fetched.map(({ cost }) => cost);
  for (const [id, value] of values) {
    if (value.from === 'miss') continue;
    const url = urlOf.get(id) ?? '';
    const { page, warnings, cost } = readPage(value.text);
    merged.answers.set(url, { ok: true, page });
    merged.warnings.push(...warnings.map((warning) => ({ urls: [url], warning })));
    costs.push(use.costOf(value, { amount: cost }));
  }
  merged.cost = sumOfCosts(settings, costs);
  const refusal = fetched.find((one) => one.refusal)?.refusal;
  const isRefused = refusal !== undefined && [...merged.answers.values()].every(({ ok }) => !ok);
  return isRefused ? { ...merged, refusal } : merged;
}

function storedPages({ answers, warnings, cost }: ExtractOutcome): Map<string, StoredPage> {
  const pages = [...answers].flatMap(([url, answer]) => (answer.ok ? [{ url, ...answer }] : []));
  const share = pages.length === 0 ? 0 : Math.ceil(cost.amount / pages.length);
  return new Map(
    pages.map(({ url, page }) => {
      const own = warnings.filter(({ urls }) => urls.includes(url));
      return [url, { page, cost: share, warnings: own.map(({ warning }) => warning) }];
    }),
  );
}

function mergeOutcomes(outcomes: readonly ExtractOutcome[]): ExtractOutcome {
  return {
    answers: new Map(outcomes.flatMap(({ answers }) => [...answers])),
    cost: { amount: zeroAmount },
    warnings: outcomes.flatMap(({ warnings }) => warnings),
    leftOut: outcomes.reduce((sum, { leftOut }) => sum + leftOut, 0),
    of: outcomes.reduce((sum, { of }) => sum + of, 0),
  };
}
