// Evaluate my queries: the same queries are sent to several engines from this page, as ordinary
// searches of the account, and the report says what the engines are worth.
import { Suspense, useMemo, useState } from 'react';
import type { SearchEngineId } from '@trivium/contract';
import {
  count,
  InputError,
  inputLimits,
  isBudget,
  maxBudgetUsd,
  readJudgements,
  readQueries,
} from '@trivium/sdk/evaluate';
import { useProviders } from '../api/names.ts';
import { BalanceTooLow } from '../api/errors.ts';
import { Button, Empty, ErrorNote } from '../components/basics.tsx';
import { Checks } from '../components/checks.tsx';
import { Input } from '../components/field.tsx';
import { usd } from '../format.ts';
import { lazyPage } from '../shell/lazy-page.ts';
import { useMayChange, useSession } from '../shell/session.tsx';
import { EvaluationReport } from './evaluation-report.tsx';
import { SourceField } from './source-field.tsx';
import type { Source } from './source-field.tsx';
import { useEvaluation } from './use-evaluation.ts';
import type { Asked } from './use-evaluation.ts';

const TopUp = lazyPage(async () => (await import('../billing/top-up.tsx')).TopUp);

export function Evaluate() {
  const mayChange = useMayChange();
  if (mayChange) return <Form />;
  return (
    <Empty card title="For members">
      An evaluation is paid from the balance of the account, so only members can start one.
    </Empty>
  );
}

const usualEngines = 3;

function Form() {
  const { account } = useSession();
  const configured = (useProviders().data?.providers ?? []).filter(
    ({ state, tools }) => state === 'configured' && tools.search !== undefined,
  );
  const [queries, setQueries] = useState<Source>();
  const [judgements, setJudgements] = useState<Source>();
  const [chosen, setChosen] = useState<readonly string[]>();
  const [budget, setBudget] = useState('');
  const engines = configured
    .map(({ id }) => id as SearchEngineId)
    .filter((id, at) => chosen?.includes(id) ?? at < usualEngines);
  const evaluation = useEvaluation(account.id);
  const { busy, plan, progress, outcome, error } = evaluation;
  const read = useMemo(() => readSources(queries, judgements), [queries, judgements]);
  const asked: Asked | undefined = read.queries && { queries: read.queries, engines };
  const limit = budget === '' ? undefined : Number(budget);
  const isWrong = limit !== undefined && !isBudget(limit);
  return (
    <>
      <form
        className="card stack evaluation"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (asked && !plan) evaluation.price(asked);
          else if (asked && plan && limit !== undefined && !isWrong)
            evaluation.run(asked, plan, limit);
        }}
      >
        <fieldset className="stack" disabled={busy !== undefined} aria-label="Evaluation">
          <p className="soft">
            Every query is sent to every engine. The searches are ordinary ones: paid from the
            balance, within all caps, and in the request log.
          </p>
          <SourceField
            label="Queries"
            hint={`One for each line, as text or as JSON such as {"id": "q1", "query": "solar energy"}; at most ${inputLimits.queries.toLocaleString('en')}.`}
            of={queries}
            maxBytes={inputLimits.queriesBytes}
            found={read.queries && count(read.queries.length, 'query', 'queries')}
            error={read.queriesError}
            onChange={(source) => {
              setQueries(source);
              evaluation.reset('queries');
            }}
          />
          <details>
            <summary>Judgements, if you have them</summary>
            <SourceField
              label="Judgements"
              hint="The id of a query, the address of a page and a grade, separated by tabs. Without them, engines are compared by their agreement with each other."
              of={judgements}
              maxBytes={inputLimits.judgementsBytes}
              found={
                read.judged && count(read.judged.judgements.size, 'judged query', 'judged queries')
              }
              error={read.judgementsError}
              onChange={setJudgements}
            />
          </details>
          <Checks
            legend="Engines"
            options={configured.map(({ id, name }) => [id as string, name] as const)}
            chosen={engines}
            error={engines.length === 0 ? 'Choose at least one engine.' : undefined}
            onChange={(ids) => {
              setChosen(ids);
              evaluation.reset('engines');
            }}
          />
          <Input
            label="Budget in USD"
            type="number"
            step="any"
            hint="The run stops before it would exceed it."
            error={
              isWrong
                ? `An amount above 0, at most ${maxBudgetUsd.toLocaleString('en')}.`
                : undefined
            }
            value={budget}
            onChange={setBudget}
          />
        </fieldset>
        {plan && asked ? (
          <p role="status">
            {count(plan.open, 'query', 'queries')} to {count(engines.length, 'engine', 'engines')}:
            at most {usd(plan.usd)}. The balance is {usd(plan.balanceUsd)}.
          </p>
        ) : null}
        <div className="row">
          {busy === 'running' || busy === 'stopping' ? (
            <>
              <Button onPress={evaluation.stop} disabled={busy === 'stopping'}>
                Stop
              </Button>
              <progress
                max={asked?.queries.length ?? 1}
                value={progress?.done ?? 0}
                aria-label="Queries"
              />
              <span role="status" className="small numeric">
                {busy === 'stopping' ? 'Stopping: ' : ''}
                {progress?.done ?? 0} of {count(asked?.queries.length ?? 0, 'query', 'queries')},{' '}
                {usd(progress?.spentUsd ?? 0)}
              </span>
            </>
          ) : (
            <Button
              kind="primary"
              submit
              busy={busy !== undefined}
              disabled={
                !asked ||
                engines.length === 0 ||
                (plan !== undefined && (limit === undefined || isWrong))
              }
            >
              {!plan ? 'Check the cost' : outcome ? 'Continue' : 'Start'}
            </Button>
          )}
        </div>
        <ErrorNote error={error} />
        {error instanceof BalanceTooLow ? (
          <Suspense>
            <TopUp />
          </Suspense>
        ) : null}
      </form>
      {outcome ? (
        <EvaluationReport of={outcome} judged={read.judged} name={queries?.name ?? 'queries'} />
      ) : null}
    </>
  );
}

/** What the sources contain, or what is wrong with them. */
function readSources(queries: Source | undefined, judgements: Source | undefined) {
  if (!queries) return {};
  const found = attempt(() => readQueries(queries.text, queries.name));
  if (found instanceof InputError) return { queriesError: found.message };
  if (!judgements) return { queries: found };
  const judged = attempt(() => readJudgements(judgements.text, judgements.name, found));
  if (judged instanceof InputError) return { judgementsError: judged.message };
  return { queries: found, judged };
}

function attempt<T>(read: () => T): T | InputError {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}
