// The playground's form for search: one engine, several side by side, or a fusion panel.
import { Suspense, useMemo } from 'react';
import type { ProviderDescription, SearchRequestInput, Usage } from '@trivium/contract';
import { gatewayClientFor } from '../api/clients.ts';
import { providerName } from '../api/names.ts';
import { asError, issuesOf } from '../api/errors.ts';
import { useAction } from '../api/use-action.ts';
import { Loading, Segments } from '../components/basics.tsx';
import { Select } from '../components/field.tsx';
import { useStoredState } from '../components/use-stored-state.ts';
import { lazyPage } from '../shell/lazy-page.ts';
import { useSession } from '../shell/session.tsx';
import { ToolLayout, providerOptions, providersOf, servedBy } from './tool-layout.tsx';
import type { ToolProps } from './tool-layout.tsx';
import { Chips } from './chips.tsx';
import { fieldsOf, requestFrom } from './form-fields.ts';
import { useHistory } from './history-list.tsx';
import { recordRequest } from './record-request.ts';
import type { Column } from './search-answer.tsx';
import { useToolState } from './tool-state.ts';
import type { Way } from './share.ts';

const SearchAnswer = lazyPage(async () => (await import('./search-answer.tsx')).SearchAnswer);

const ways: readonly (readonly [Way, string])[] = [
  ['one', 'One engine'],
  ['beside', 'Side by side'],
  ['fusion', 'Fusion'],
];
const defaultPanel = ['engine_a', 'engine_b', 'engine_j', 'engine_k'];

/** The default members that can be called, with substitutes for the others. */
function panelFrom(candidates: readonly ProviderDescription[]): string[] {
  const ready = candidates.filter(({ state }) => state === 'configured').map(({ id }) => id);
  const known = ready.filter((id) => defaultPanel.includes(id));
  const others = ready.filter((id) => !defaultPanel.includes(id));
  return [...known, ...others].slice(0, defaultPanel.length);
}

export function SearchTool({ all, schema }: ToolProps) {
  const { account } = useSession();
  const candidates = providersOf(all, schema);
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const panelNow = () => panelFrom(candidates);
  const [state, change, arrivals] = useToolState('search', { fields, candidates, panel: panelNow });
  const { way, provider: engine, panel, filled } = state;
  const [columns, setColumns] = useStoredState<readonly Column[] | undefined>(
    `search answer ${account.id}`,
    () => undefined,
  );
  const search = useSearch();
  const history = useHistory();
  const calls = callsFor(way, requestFrom<SearchRequestInput>(fields, filled), engine, panel);
  const send = useAction(async () => {
    setColumns(undefined);
    void SearchAnswer.preload().catch(() => undefined);
    // A single call shows its error above the response; each of several calls shows its own.
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
      working={way === 'one' ? 'Searching' : `Searching with ${panel.length} engines`}
      wide={way === 'beside' && columns !== undefined}
      way={
        <Segments
          label="Search with"
          options={ways}
          value={way}
          onChange={(chosen) => {
            change({ way: chosen, panel: panelFor(chosen, panel, panelNow()) });
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
            label={way === 'fusion' ? 'Panel members' : 'Engines to compare'}
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
      answer={
        columns ? (
          <Suspense fallback={<Loading />}>
            <SearchAnswer columns={columns} all={all} />
          </Suspense>
        ) : undefined
      }
    />
  );
}

/** Two engines are enough to compare, and four for a panel, unless the person chose others. */
const besideCount = 2;

function panelFor(way: Way, panel: readonly string[], usual: readonly string[]): readonly string[] {
  const few = usual.slice(0, besideCount);
  if (way === 'beside' && isSame(panel, usual)) return few;
  return way === 'fusion' && isSame(panel, few) ? usual : panel;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
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
  filled: SearchRequestInput,
  engine: string,
  panel: readonly string[],
): SearchRequestInput[] {
  const to = (provider: string, more = {}) =>
    ({ ...filled, provider, ...more }) as SearchRequestInput;
  if (way === 'one') return [to(engine)];
  if (way === 'beside') return panel.map((id) => to(id));
  return [to('fusion', { provider_options: withPanel(filled.provider_options, panel) })];
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
    error: asError(error).message,
  }));
}
