// POST /v1/extract as a verb: pages in, clean content out, and an account of every address.
import { spellUrl } from '@trivium/contract';
import type { ExtractRequest, Warning } from '@trivium/contract';
import type { ExtractAsk } from '../domain/negotiation/asks.ts';
import { cutTo, filled } from '../domain/text.ts';
import { newExtractId } from '../platform/ids.ts';
import { allowedOrder } from './allow-list.ts';
import { charge } from './charge.ts';
import type { Done, Served, Work } from './charge.ts';
import type { Chosen } from './choose-provider.ts';
import { prepareChosen } from './failover.ts';
import { extract_bounds, performExtract } from './extract-pages.ts';
import type { Extracted, ExtractOutcome, PageAnswer } from './extract-pages.ts';
import { planExtract, roundsOf } from './extract-plan.ts';
import type { ExtractPlan } from './extract-plan.ts';
import type { Asking, House } from './house.ts';
import { answerFor } from './page-addresses.ts';
import { refusePrivatePages } from './private-pages.ts';
import { providerError, strictRefusal } from './refuse.ts';
import { leftOutWarning } from './search-one.ts';

const default_timeout_ms = 60_000;
/** What we allow beyond the page timeout a caller sets. */
const timeout_margin_ms = 5000;

export function extract(house: House, request: ExtractRequest, asking: Asking): Promise<Served> {
  const order = allowedOrder(asking.caller, house.settings.auto_extract);
  const work = prepareChosen(house, 'extract', request.provider, order, asking, (chosen) =>
    prepareOne(house, request, chosen, asking),
  );
  return charge(house, asking, work);
}

function prepareOne(
  house: House,
  request: ExtractRequest,
  chosen: Chosen,
  { signal }: Asking,
): Work {
  refusePrivatePages(house.settings, chosen, request.urls);
  const plan = planExtract(house, chosen, request);
  const { id } = chosen.provider;
  if (request.strict) strictRefusal(id, plan.warnings);
  const timeout_ms = waitFor(request);
  return {
    provider: id,
    calls: [id],
    maxCost: plan.maxCost,
    lasts_ms: roundsOf(plan) * timeout_ms,
    perform: async () => {
      const budget = {
        timeout_ms,
        ...extract_bounds,
        ...(timeout_ms < default_timeout_ms ? { hurried: true as const } : {}),
        ...(signal ? { signal } : {}),
      };
      const outcome = await performExtract(house, plan, budget);
      if (outcome.refusal) throw providerError(id, outcome.refusal);
      return answerOf(request, plan, outcome);
    },
  };
}

/** How long each call to the provider may take. */
export function waitFor({ timeout_ms }: Pick<ExtractRequest, 'timeout_ms'>): number {
  return timeout_ms === undefined ? default_timeout_ms : timeout_ms + timeout_margin_ms;
}

/** `raw` goes out exactly as it came in. */
function answerOf(request: ExtractRequest, plan: ExtractPlan, outcome: ExtractOutcome): Done {
  const answers = request.urls.map((url) =>
    asAsked(answerFor(plan.addresses, outcome, url), url, plan.ask),
  );
  const results = answers.flatMap((answer) => (answer.ok ? [pageText(answer.page)] : []));
  const failed = answers.flatMap((answer) =>
    answer.ok ? [] : [{ url: answer.url, error: answer.error }],
  );
  const warnings = [
    ...plan.warnings,
    ...undelivered(answers, plan.ask, plan.warnings),
    ...leftOutWarning(outcome.leftOut, outcome.of),
    ...outcome.warnings,
  ];
  return {
    cost: outcome.cost,
    warnings: warnings.length,
    delivered: results.length,
    write: (usage, latency_ms) => {
      const head = `{"id":"${newExtractId()}","provider":"${plan.chosen.provider.id}"`;
      const rest = JSON.stringify({ failed, warnings, usage, latency_ms });
      return `${head},"results":[${results.join(',')}],${rest.slice(1)}`;
    },
  };
}

/**
 * Only what was asked for, within its caps; a page with nothing of it is a failure, not an empty
 * result.
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
  const max_chars = ask['content.max_chars'];
  if (kept.content !== undefined && max_chars !== undefined) {
    kept.content = cutTo(kept.content, max_chars);
  }
  return {
    ok: true,
    page: {
      ...page,
      ...kept,
      final_url: final_url === url || final_url === spellUrl(url) ? undefined : final_url,
      links: ask.include_links ? links : undefined,
      images: ask.include_images ? images : undefined,
    },
  };
}

/** What was granted and still did not come with some page, told once for each parameter. */
export function undelivered(
  answers: readonly PageAnswer[],
  ask: ExtractAsk,
  told: readonly Warning[],
): Warning[] {
  const pages = answers.flatMap((answer) => (answer.ok ? [answer.page] : []));
  return parts_of_a_page.flatMap(([param, part]): Warning[] => {
    const without = pages.filter((page) => page[part] === undefined).length;
    const known = told.some((warning) => warning.param === param);
    if (!ask[param] || without === 0 || known) return [];
    const message = `The provider could not give it for ${without} of ${pages.length} pages.`;
    return [{ code: 'param_approximated', param, message }];
  });
}

const parts_of_a_page = [
  ['content.full_text', 'content'],
  ['content.excerpts', 'excerpts'],
  ['content.summary', 'summary'],
] as const;

function capExcerpts(
  excerpts: readonly string[],
  { max_per_url, max_chars_per_excerpt }: NonNullable<ExtractAsk['content.excerpts']>,
): string[] {
  return excerpts
    .slice(0, max_per_url)
    .map((text) =>
      max_chars_per_excerpt === undefined ? text : cutTo(text, max_chars_per_excerpt),
    );
}

function pageText({ raw, ...page }: Extracted): string {
  return `${JSON.stringify(page).slice(0, -1)},"raw":${raw}}`;
}
