// Sends every query to every engine, a few queries at a time, and stops before the budget is
// exceeded.
import type { SearchEngineId, SearchRequestInput, SearchResponse } from '@trivium/contract';
import { usualDepth } from '@trivium/shared/ranking-metrics';
import type { Client } from '../client.ts';
import { ApiError } from '../errors.ts';
import type { AnsweredPage, KeptAnswers } from './answers.ts';
import type { EvaluatedQuery } from './input.ts';

export interface Run {
  client: Client;
  queries: readonly EvaluatedQuery[];
  engines: readonly SearchEngineId[];
  answers: KeptAnswers;
  /** The maximum cost of one query with one engine. */
  maxCostOf: (query: EvaluatedQuery, engine: SearchEngineId) => number;
  budgetUsd: number;
  signal: AbortSignal;
  /** Called when a query was answered by every engine. */
  onProgress: (queriesDone: number) => void;
  /** While it is true, no further query is sent. */
  isStopped?: () => boolean;
  queriesAtOnce?: number;
}
/** After a rate limit, the run waits as long as the gateway says. */
const maxRetries = 20;
/** Sums of dollars are compared with a margin far below a micro-USD. */
const rounding = 1e-9;

/** Resolves to the number of queries that were not sent: the budget is used up, or the run stopped. */
export async function runQueries(run: Run): Promise<number> {
  const { queries, engines, answers, maxCostOf, budgetUsd, onProgress, queriesAtOnce = 4 } = run;
  const missing = (query: EvaluatedQuery) =>
    engines.filter((engine) => answers.find(query.id, engine) === undefined);
  const open = queries.filter((query) => missing(query).length > 0);
  const active = new Set<Promise<void>>();
  let done = queries.length - open.length;
  let begun = 0;
  const failures = new Map<SearchEngineId, number>();
  let reservedUsd = 0;
  let failure: Error | undefined;
  onProgress(done);
  for (const query of open) {
    const asked = missing(query);
    // A query is sent to every engine or to none; otherwise the cheaper ones would answer more.
    const mostUsd = asked.reduce((sum, engine) => sum + maxCostOf(query, engine), 0);
    const fits = () => answers.spentUsd() + reservedUsd + mostUsd <= budgetUsd + rounding;
    // Running queries may cost less than is reserved for them.
    while (active.size === queriesAtOnce || (active.size > 0 && !fits()))
      await Promise.race(active);
    if (failure !== undefined || run.isStopped?.() === true || !fits()) break;
    begun += 1;
    reservedUsd += mostUsd;
    // When one engine fails, the answers of the others are kept, because they are paid for.
    const task = Promise.allSettled(asked.map((engine) => ask(run, query, engine, failures))).then(
      (all) => {
        const rejected = all.find((one) => one.status === 'rejected');
        if (rejected) failure ??= toError(rejected.reason);
        else onProgress((done += 1));
        reservedUsd -= mostUsd;
        active.delete(task);
      },
    );
    active.add(task);
  }
  await Promise.all(active);
  if (failure !== undefined) throw failure;
  return open.length - begun;
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** After so many failures in a row an engine is asked once for each query, without waiting for it. */
const failuresInRow = 3;

async function ask(
  run: Run,
  query: EvaluatedQuery,
  engine: SearchEngineId,
  failures: Map<SearchEngineId, number>,
): Promise<void> {
  const { client, answers, signal, maxCostOf } = run;
  signal.throwIfAborted();
  const idempotencyKey = answers.begin(query.id, engine);
  const maxCostUsd = maxCostOf(query, engine);
  const failed = () => failures.get(engine) ?? 0;
  const retries = failed() < failuresInRow ? maxRetries : 0;
  const call = { idempotencyKey, maxCostUsd, signal, maxRetries: retries };
  const answered = { query: query.id, engine };
  try {
    const answer = await client.search(searchOf(query, engine), call);
    const { cost_usd } = answer.usage;
    const { latency_ms } = answer;
    const pages = pagesOf(answer);
    answers.add({ ...answered, outcome: 'served', pages, cost_usd, latency_ms });
    failures.delete(engine);
  } catch (error) {
    const outcome = error instanceof ApiError ? outcomeOf(error) : undefined;
    if (!(error instanceof ApiError) || outcome === undefined) throw error;
    failures.set(engine, failed() + 1);
    const why = error.message.slice(0, maxErrorChars);
    answers.add({ ...answered, outcome, pages: [], cost_usd: 0, latency_ms: 0, error: why });
  }
}

/** The request to one engine; also used to estimate its price. */
export function searchOf(query: EvaluatedQuery, engine: SearchEngineId): SearchRequestInput {
  return { ...query.parameters, query: query.text, provider: engine, max_results: usualDepth };
}

const maxErrorChars = 300;
const maxTextChars = 300;

/** Undefined for an error that ends the run, which can continue later. */
function outcomeOf({ type, status, detail }: ApiError): 'failed' | 'lost' | undefined {
  // A failure of the vendor is a result like any other; without a provider it is the gateway's.
  if (type === 'provider_error') return 'failed';
  const isOfEngine = (detail as { provider?: unknown } | null | undefined)?.provider !== undefined;
  if (type === 'provider_not_available' && isOfEngine) return 'failed';
  // The first answer was charged, but was too large to be stored for a repetition.
  return status === 409 ? 'lost' : undefined;
}

function pagesOf({ results }: SearchResponse): AnsweredPage[] {
  return results.slice(0, usualDepth).map(({ id, url, title, published_date }) => ({
    id,
    url: url.slice(0, maxUrlChars),
    title: (title ?? '').slice(0, maxTextChars),
    date: (published_date ?? '').slice(0, maxDateChars),
  }));
}

const maxUrlChars = 2000;
const maxDateChars = 40;
