// POST /v1/feedback: a caller reports which results of a search were useful. The consequences for
// the engines are counted in the same transaction, so that each statement counts once.
import { dayMs } from '@trivium/contract/durations';
import { conflict, feedbackDays, GatewayError } from '@trivium/contract';
import type { FeedbackRequest, FeedbackResponse } from '@trivium/contract';
import { pageKey } from '@trivium/shared/page-key';
import { resultId } from '../platform/ids.ts';
import { dayOf } from '../requests/core/index.ts';
import { type Caller, readSearch } from '../requests/index.ts';
import {
  applyFeedback,
  countUseful,
  partOfId,
  qualityByFeedback,
  readResults,
  readVerdicts,
  resultsOfMember,
  type Verdict,
  writeVerdicts,
} from './core/feedback.ts';
import { addSums, isNothing, noSums, observed, type QualitySums } from './core/quality-day.ts';
import type { QualityContext } from './scorecard.ts';
import { findVerdicts, insertFeedback, updateVerdicts } from './store/feedback.ts';
import { addToQualityDays } from './store/quality-days.ts';

type Verdicts = ReadonlyMap<string, Verdict>;

export async function giveFeedback(
  { database, clock }: QualityContext,
  caller: Caller,
  request: FeedbackRequest,
): Promise<FeedbackResponse> {
  const { search_id: searchId } = request;
  const requestId = `req_${searchId.slice('srch_'.length)}`;
  const { account_id } = caller;
  const found = await readSearch(database, requestId, account_id);
  const isSeen = found && (!caller.own_use_only || found.key_id === caller.key_id);
  if (!isSeen) throw new GatewayError('not_found', `This account has no search ${searchId}.`);
  if (clock.now().getTime() - found.created_at > feedbackDays * dayMs) {
    const tooOld = `no longer accepts feedback: it is older than ${feedbackDays} days.`;
    throw notAccepted(searchId, tooOld);
  }
  const searched = readSearched(found);
  if (!searched) throw notAccepted(searchId, nothingKept);
  const { results } = searched;
  const named = resolve(request, new Set(results));
  const { created_at } = found;
  const place = {
    account_id,
    day: dayOf(created_at),
    source: 'feedback' as const,
    class: searched.class,
  };
  const verdicts = await database.transaction(async (tx) => {
    await insertFeedback(tx, { request_id: requestId, account_id, created_at, verdicts: '' });
    const before = readVerdicts(results, (await findVerdicts(tx, requestId)) ?? '');
    const after = applyFeedback(before, named.message);
    await updateVerdicts(tx, requestId, writeVerdicts(results, after));
    const days = differences(searched, before, after).map((one) => ({ ...one, ...place }));
    await addToQualityDays(tx, days);
    return after;
  });
  const count = (verdict: Verdict) =>
    [...verdicts.values()].filter((one) => one === verdict).length;
  return {
    search_id: searchId,
    cited: count('cited'),
    opened: count('opened'),
    rejected: count('rejected'),
    unknown: named.unknown,
  };
}

/** Refuses feedback on a search that no longer accepts it, or never did. */
function notAccepted(searchId: string, reason: string): GatewayError {
  return conflict(`${searchId} ${reason}`);
}

const nothingKept =
  'does not accept feedback: its results are not kept, because the account keeps no queries ' +
  '(keep_query_hours is 0), or because an older version served it.';

/** A search, with what is needed to count feedback for it. */
type Searched = NonNullable<ReturnType<typeof readSearched>>;

function readSearched(found: NonNullable<Awaited<ReturnType<typeof readSearch>>>) {
  const { shown, parts } = found;
  if (!shown) return undefined;
  const [language, category, freshness] = shown.asked_for ?? ['', '', ''];
  const results = readResults(shown.ids);
  const costOf = (engine: string) => parts.find(({ provider }) => provider === engine)?.amount ?? 0;
  return {
    results,
    class: { tool: 'search', language, category, freshness },
    latencyMs: found.latency_ms,
    engines: shown.ranks
      ? Object.entries(shown.ranks).map(([engine, ranks]) => ({
          engine,
          results: resultsOfMember(results, ranks),
          cost: costOf(engine),
        }))
      : [{ engine: found.provider, results, cost: found.cost }],
  };
}

/** Finds the results that a request names by id or URL. Other names are unknown. */
function resolve(
  { cited = [], opened = [], rejected = [] }: FeedbackRequest,
  results: Set<string>,
) {
  const unknown = new Set<string>();
  const known = (names: readonly string[]) =>
    names.flatMap((name) => {
      const id = partOfId(name.startsWith('res_') ? name : resultId(pageKey(name)));
      if (results.has(id)) return [id];
      unknown.add(name);
      return [];
    });
  const message = { cited: known(cited), opened: known(opened), rejected: known(rejected) };
  return { message, unknown: [...unknown] };
}

/** What changes for each engine of the search. */
function differences(
  searched: Searched,
  before: Verdicts,
  after: Verdicts,
): (QualitySums & { engine: string })[] {
  return searched.engines.flatMap((one) => {
    const sums = addSums(sumsOf(searched, one, after), sumsOf(searched, one, before), -1);
    return isNothing(sums) ? [] : [{ engine: one.engine, ...sums }];
  });
}

function sumsOf(
  { latencyMs }: Searched,
  { results, cost }: Searched['engines'][number],
  verdicts: Verdicts,
): QualitySums {
  const quality = qualityByFeedback(results, verdicts);
  if (quality === undefined) return noSums;
  const useful = countUseful(results, verdicts);
  return { ...observed(quality), calls: 1, cost, latency_ms: latencyMs, useful };
}
