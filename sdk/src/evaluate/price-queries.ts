// What an evaluation can cost, before it begins.
import type { SearchEngineId } from '@trivium/contract';
import type { Client } from '../client.ts';
import { ApiError } from '../errors.ts';
import type { KeptAnswers } from './answers.ts';
import { InputError } from './input.ts';
import type { EvaluatedQuery } from './input.ts';
import { searchOf } from './run-queries.ts';
import type { Run } from './run-queries.ts';

export const maxBudgetUsd = 1_000_000;

export function isBudget(usd: number): boolean {
  return usd > 0 && usd <= maxBudgetUsd;
}

/** Each combination of parameters is priced for each engine before the run. */
const maxCombinations = 50;

interface Prices extends Pick<Run, 'maxCostOf'> {
  balanceUsd: number;
}

/** Also checks that each engine serves this caller. No engine is called, and nothing is charged. */
export async function priceQueries(
  client: Client,
  queries: readonly EvaluatedQuery[],
  engines: readonly SearchEngineId[],
  signal: AbortSignal,
): Promise<Prices> {
  const shapes = longestByShape(queries);
  if (shapes.size > maxCombinations) {
    throw new InputError(
      `The queries have ${shapes.size} combinations of parameters; at most ${maxCombinations} can be priced.`,
    );
  }
  const prices = new Map<string, number>();
  let balanceUsd = Infinity;
  for (const [shape, query] of shapes) {
    for (const engine of engines) {
      const found = await client
        .estimate('search', searchOf(query, engine), { signal })
        .catch((error: unknown) => {
          throw isAboutQuery(error)
            ? new InputError(`The query ${query.id}: ${error.message}`)
            : error;
        });
      prices.set(`${shape} ${engine}`, found.max_cost_usd);
      balanceUsd = Math.min(balanceUsd, found.balance_usd);
    }
  }
  return {
    balanceUsd,
    maxCostOf: (query, engine) => prices.get(`${shapeOf(query)} ${engine}`) ?? 0,
  };
}

/** And not about an engine that this caller may not use. */
function isAboutQuery(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.type !== 'invalid_request') return false;
  return !error.issues.some(({ path }) => path === 'provider');
}

/** The gateway checks the longest query of each shape, so that none is refused for its length. */
function longestByShape(queries: readonly EvaluatedQuery[]): Map<string, EvaluatedQuery> {
  const shapes = new Map<string, EvaluatedQuery>();
  for (const query of queries) {
    const shape = shapeOf(query);
    const known = shapes.get(shape);
    if (known === undefined || query.text.length > known.text.length) shapes.set(shape, query);
  }
  return shapes;
}

/** The parameters that, together with the engine, decide the price of a query. */
function shapeOf({ parameters }: EvaluatedQuery): string {
  return JSON.stringify(parameters);
}

/** The queries that some engine has not answered, and the maximum cost of what is missing. */
export function openCostOf(
  queries: readonly EvaluatedQuery[],
  engines: readonly SearchEngineId[],
  answers: Pick<KeptAnswers, 'find'>,
  maxCostOf: Run['maxCostOf'],
): { open: number; usd: number } {
  let [open, usd] = [0, 0];
  for (const query of queries) {
    const missing = engines.filter((engine) => answers.find(query.id, engine) === undefined);
    if (missing.length > 0) open += 1;
    for (const engine of missing) usd += maxCostOf(query, engine);
  }
  return { open, usd };
}
