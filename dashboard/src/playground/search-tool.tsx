// The playground's form for search: one engine, several side by side, or a fusion panel.
import { useMemo, useState } from 'react';
import type {
  ProviderDescription,
  SearchRequestInput,
  SearchResponse,
  Usage,
} from '@trivium/contract';
import { gatewayClientFor } from '../api/clients.ts';
import { providerName } from '../api/names.ts';
import { asError, issuesOf } from '../api/errors.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorNote, Segments } from '../components/basics.tsx';
import { Select } from '../components/field.tsx';
import { useSession } from '../shell/session.tsx';
import { ToolLayout, providerOptions, providersOf, servedBy } from './tool-layout.tsx';
import type { ToolProps } from './tool-layout.tsx';
import { Chips } from './chips.tsx';
import { fieldsOf, requestFrom } from './form-fields.ts';
import { FusionMatrix } from './fusion-matrix.tsx';
import { useHistory } from './history-list.tsx';
import { recordRequest } from './record-request.ts';
import { SearchResults } from './search-results.tsx';
import { useToolState } from './tool-state.ts';
import type { Way } from './share.ts';

interface Column {
  engine: string;
  answer?: SearchResponse;
  explanation?: string | null;
  error?: Error;
}

const ways: readonly (readonly [Way, string])[] = [
  ['one', 'One engine'],
  ['beside', 'Side by side'],
  ['fusion', 'Fusion'],
];
const defaultPanel = ['engine_a', 'engine_b', 'engine_j', 'engine_k'];

/** The default members that can be called, and others in their place. */
function panelFrom(candidates: readonly ProviderDescription[]): string[] {
  const ready = candidates.filter(({ state }) => state === 'configured').map(({ id }) => id);
  const known = ready.filter((id) => defaultPanel.includes(id));
  const others = ready.filter((id) => !defaultPanel.includes(id));
  return [...known, ...others].slice(0, defaultPanel.length);
}
const defaultTopK = 3;

export function SearchTool({ all, schema }: ToolProps) {
  const candidates = providersOf(all, schema);
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const panelNow = () => panelFrom(candidates);
  const [state, change, arrivals] = useToolState('search', { fields, candidates, panel: panelNow });
  const { way, provider: engine, panel, filled } = state;
  const [columns, setColumns] = useState<readonly Column[]>();
  const search = useSearch();
  const history = useHistory('search');
  const calls = callsFor(way, requestFrom(fields, filled), engine, panel);
  const send = useAction(async () => {
    setColumns(undefined);
    // A single call shows its error above the response; of several calls, each shows its own.
    const found = calls.map((call) => (calls.length === 1 ? search(call) : settled(search, call)));
    const sent = Promise.all(found);
    setColumns(await recordRequest({ state, history }, 'search', sent, usageOfAll));
  });
  const asked = candidates.filter(({ id }) => panel.includes(id));
  return (
    <ToolLayout
      tool="search"
      requests={calls}
      {...{ state, change, arrivals, history, send }}
      verb="Search"
      working={way === 'one' ? 'Searching' : `Asking ${panel.length} engines`}
      wide={way === 'beside' && columns !== undefined}
      way={
        <Segments
          label="Search with"
          options={ways}
          value={way}
          onChange={(chosen) => {
            change({ way: chosen });
            setColumns(undefined);
          }}
        />
      }
      who={
        way === 'one' ? (
          <Select
            label="provider"
            options={providerOptions(candidates)}
            value={engine}
            onChange={(chosen) => change({ provider: chosen })}
          />
        ) : (
          <Chips
            label={way === 'fusion' ? 'Members of the panel' : 'Engines to compare'}
            options={candidates.map(({ id }) => [id, providerName(id)] as const)}
            chosen={panel}
            onChange={(chosen) => change({ panel: [...chosen] })}
          />
        )
      }
      form={{
        fields,
        first: ['query', 'max_results'],
        providers: way === 'one' ? servedBy(candidates, engine) : asked,
        filled,
        onFill: (path, value) => change({ filled: { ...filled, [path]: value } }),
        warnings: way === 'one' ? (columns?.[0]?.answer?.warnings ?? []) : [],
        issues: issuesOf(send.error),
      }}
      answer={columns ? <Answer columns={columns} all={all} /> : undefined}
    />
  );
}

/** What all calls cost together; undefined when none was answered. */
function usageOfAll(columns: readonly Column[]): Usage | undefined {
  const usages = columns.flatMap(({ answer }) => (answer ? [answer.usage] : []));
  if (usages.length === 0) return undefined;
  const total = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
  return {
    cost_usd: Number(total(usages.map(({ cost_usd }) => cost_usd)).toFixed(6)),
    credits: total(usages.map(({ credits }) => credits)),
  };
}

function callsFor(
  way: Way,
  filled: Record<string, unknown>,
  engine: string,
  panel: readonly string[],
): SearchRequestInput[] {
  const to = (provider: string, more = {}) =>
    ({ ...filled, provider, ...more }) as unknown as SearchRequestInput;
  if (way === 'one') return [to(engine)];
  if (way === 'beside') return panel.map((id) => to(id));
  return [to('fusion', { provider_options: withPanel(filled['provider_options'], panel) })];
}

function withPanel(options: unknown, panel: readonly string[]): object {
  const own: { fusion?: object } = typeof options === 'object' ? (options ?? {}) : {};
  return { ...own, fusion: { ...own.fusion, providers: panel } };
}

type Search = (call: SearchRequestInput) => Promise<Column>;

function useSearch(): Search {
  const { account } = useSession();
  return async (call) => {
    const gateway = gatewayClientFor(account.id);
    const answer = await gateway.client.search(call);
    return { engine: call.provider ?? 'auto', answer, explanation: gateway.explanation() };
  };
}

function settled(search: Search, call: SearchRequestInput): Promise<Column> {
  return search(call).catch((error: unknown) => ({
    engine: call.provider ?? 'auto',
    error: asError(error),
  }));
}

interface AnswerProps extends Pick<ToolProps, 'all'> {
  columns: readonly Column[];
}

function Answer({ columns, all }: AnswerProps) {
  const nameOf = (id: string) => all.find((one) => one.id === id)?.name ?? id;
  const [first] = columns;
  if (columns.length === 1 && first?.answer) {
    const { answer, explanation = null } = first;
    return (
      <>
        {answer.provider === 'fusion' ? (
          <FusionMatrix {...{ answer, explanation, nameOf, top_k: defaultTopK }} />
        ) : null}
        <SearchResults
          answer={answer}
          name={providerName(answer.provider)}
          explanation={explanation}
        />
      </>
    );
  }
  return (
    <div className="beside" role="region" aria-label="Engines side by side" tabIndex={0}>
      {columns.map(({ engine, answer, error }) => (
        <div key={engine}>
          {answer ? <SearchResults answer={answer} name={providerName(engine)} /> : null}
          {error ? (
            <>
              <strong>{providerName(engine)}</strong>
              <ErrorNote error={error} />
            </>
          ) : null}
        </div>
      ))}
    </div>
  );
}
