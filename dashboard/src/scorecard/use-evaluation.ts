// An evaluation that runs in this page, through the session: priced first, then sent a query at a
// time, stopped by a person, by the budget or by an error, and gone when the page is left.
import { useEffect, useRef, useState } from 'react';
import type { SearchEngineId } from '@trivium/contract';
import { createClient } from '@trivium/sdk';
import type { Client } from '@trivium/sdk';
import { keepInMemory, notesOn, openCostOf, priceQueries, runQueries } from '@trivium/sdk/evaluate';
import type { EngineAnswer, EvaluatedQuery, KeptAnswers } from '@trivium/sdk/evaluate';
import { sessionFetch } from '../api/clients.ts';
import { reportChange } from '../api/data.ts';
import { asError } from '../api/errors.ts';

export interface Asked {
  queries: readonly EvaluatedQuery[];
  engines: readonly SearchEngineId[];
}

interface Plan {
  maxCostOf: (query: EvaluatedQuery, engine: SearchEngineId) => number;
  balanceUsd: number;
  /** The queries that some engine has not answered, and what they can cost. */
  open: number;
  usd: number;
}

export interface Outcome extends Asked {
  answers: readonly EngineAnswer[];
  notes: readonly string[];
  spentUsd: number;
}

interface State {
  busy?: 'pricing' | 'running' | 'stopping';
  plan?: Plan;
  progress?: { done: number; spentUsd: number };
  outcome?: Outcome;
  error?: Error;
}

/** As many searches at once as a browser sends to one host. */
const searchesAtOnce = 6;

export function useEvaluation(accountId: string) {
  const [state, setState] = useState<State>({});
  const answers = useRef<KeptAnswers>(keepInMemory());
  const leaving = useRef(new AbortController());
  const stopped = useRef(false);
  useEffect(() => {
    leaving.current = new AbortController();
    // Nothing more is sent once the page is left.
    return () => leaving.current.abort();
  }, []);

  const price = async ({ queries, engines }: Asked) => {
    const { signal } = leaving.current;
    const client = clientFor(accountId);
    setState({ busy: 'pricing' });
    try {
      const prices = await priceQueries(client, queries, engines, signal);
      const open = openCostOf(queries, engines, answers.current, prices.maxCostOf);
      setState({ plan: { ...prices, ...open } });
    } catch (error) {
      if (!signal.aborted) setState({ error: asError(error) });
    }
  };

  const run = async (asked: Asked, plan: Plan, budgetUsd: number) => {
    const { queries, engines } = asked;
    const { signal } = leaving.current;
    const kept = answers.current;
    stopped.current = false;
    const show = (done: number) =>
      setState({
        busy: stopped.current ? 'stopping' : 'running',
        progress: { done, spentUsd: kept.spentUsd() },
      });
    let notAsked = 0;
    let error: Error | undefined;
    try {
      notAsked = await runQueries({
        ...{
          client: clientFor(accountId),
          queries,
          engines,
          answers: kept,
          budgetUsd,
          signal,
        },
        ...{ maxCostOf: plan.maxCostOf, onProgress: show, isStopped: () => stopped.current },
        queriesAtOnce: Math.max(1, Math.floor(searchesAtOnce / engines.length)),
      });
    } catch (reason) {
      error = asError(reason);
    }
    reportChange('/v1/search');
    if (signal.aborted) return;
    const why = stopped.current ? 'because the run was stopped' : undefined;
    const found = kept.list();
    const notes = notesOn(found, notAsked, why);
    const { open, usd } = openCostOf(queries, engines, kept, plan.maxCostOf);
    setState({
      ...(open > 0 ? { plan: { ...plan, open, usd } } : {}),
      ...(error ? { error } : {}),
      outcome: { ...asked, answers: found, notes, spentUsd: kept.spentUsd() },
    });
  };

  return {
    ...state,
    price: (asked: Asked) => void price(asked),
    run: (asked: Asked, plan: Plan, budgetUsd: number) => void run(asked, plan, budgetUsd),
    stop: () => {
      stopped.current = true;
      setState((now) => ({ ...now, busy: 'stopping' }));
    },
    /** What was answered counts for other engines, and not for other queries. */
    reset: (change: 'queries' | 'engines') => {
      if (change === 'queries') answers.current = keepInMemory();
      setState({});
    },
  };
}

/** What the searches change is loaded again once, at the end. */
function clientFor(accountId: string): Client {
  return createClient({
    ...{ api_key: 'session', url: location.origin, max_retries: 0 },
    fetch: (input, init) => {
      const headers = new Headers(init.headers);
      headers.set('x-trivium-account', accountId);
      return sessionFetch(input, { ...init, headers }, () => undefined);
    },
  });
}
