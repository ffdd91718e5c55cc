// Search by hand: one engine, several side by side, or a panel whose decision is drawn.
import { useMemo, useState } from 'react';
import type { SearchRequestInput, SearchResponse } from '@trivium/contract';
import { talkFor } from '../api/http.ts';
import { providerName } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { asError } from '../api/use-load.ts';
import { ErrorNote, Segments } from '../parts/basics.tsx';
import { Select } from '../parts/field.tsx';
import { useSession } from '../shell/session.tsx';
import { Bench, issuesOf, providerOptions, providersOf, servedBy } from './bench.tsx';
import type { BenchProps } from './bench.tsx';
import { Chips } from './chips.tsx';
import { fieldsOf, requestFrom } from './form-fields.ts';
import type { Filled } from './form-fields.ts';
import { FusionPicture } from './fusion-picture.tsx';
import { RequestForm } from './request-form.tsx';
import { SearchAnswer } from './search-answer.tsx';

type Way = 'one' | 'beside' | 'fusion';

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
const default_panel = ['engine_a', 'engine_b', 'engine_j', 'engine_k'];
const default_top_k = 3;

export function SearchBench({ all, schema }: BenchProps) {
  const { account } = useSession();
  const [way, setWay] = useState<Way>('one');
  const [engine, setEngine] = useState('auto');
  const [panel, setPanel] = useState<readonly string[]>(default_panel);
  const [filled, setFilled] = useState<Filled>({});
  const [columns, setColumns] = useState<readonly Column[]>();
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const candidates = providersOf(all, schema);
  const asked = requestFrom(fields, filled);
  const requestTo = (id: string) => ({ ...asked, provider: id }) as unknown as SearchRequestInput;
  const fused = {
    ...requestTo('fusion'),
    provider_options: { fusion: { providers: panel } },
  } as SearchRequestInput;
  const search = async (id: string, request: SearchRequestInput): Promise<Column> => {
    const talk = talkFor(account.id);
    const answer = await talk.client.search(request);
    return { engine: id, answer, explanation: talk.explanation() };
  };
  const send = useAction(async () => {
    setColumns(undefined);
    if (way === 'one') setColumns([await search(engine, requestTo(engine))]);
    if (way === 'fusion') setColumns([await search('fusion', fused)]);
    if (way === 'beside') {
      const each = panel.map((id) =>
        search(id, requestTo(id)).catch((error: unknown) => ({
          engine: id,
          error: asError(error),
        })),
      );
      setColumns(await Promise.all(each));
    }
  });
  const nameOf = (id: string) => all.find((one) => one.id === id)?.name ?? id;
  const served =
    way === 'one'
      ? servedBy(candidates, engine)
      : candidates.filter(({ id }) => panel.includes(id));
  const who =
    way === 'one' ? (
      <Select
        label="provider"
        options={providerOptions(candidates)}
        value={engine}
        onChange={setEngine}
      />
    ) : (
      <Chips
        label={way === 'fusion' ? 'Members of the panel' : 'Engines to compare'}
        options={candidates.map(({ id, name }) => [id, name] as const)}
        chosen={panel}
        onChange={setPanel}
      />
    );
  return (
    <Bench
      tool="search"
      request={way === 'fusion' ? fused : requestTo(way === 'one' ? engine : (panel[0] ?? 'auto'))}
      send={send}
      verb="Search"
      working={way === 'one' ? 'Searching' : `Asking ${panel.length} engines`}
      wide={way === 'beside' && columns !== undefined}
      form={
        <>
          <Segments
            label="Way to search"
            options={ways}
            value={way}
            onChange={(chosen) => {
              setWay(chosen);
              setColumns(undefined);
            }}
          />
          <RequestForm
            tool="search"
            fields={fields}
            first={['query', 'max_results']}
            providers={served}
            filled={filled}
            onFill={(path, value) => setFilled((before) => ({ ...before, [path]: value }))}
            warnings={way === 'one' ? (columns?.[0]?.answer?.warnings ?? []) : []}
            issues={issuesOf(send.error)}
          />
          {who}
        </>
      }
      answer={columns ? <Answer columns={columns} nameOf={nameOf} all={all} /> : undefined}
    />
  );
}

interface AnswerProps extends Pick<BenchProps, 'all'> {
  columns: readonly Column[];
  nameOf: (id: string) => string;
}

function Answer({ columns, nameOf, all }: AnswerProps) {
  const [first] = columns;
  if (columns.length === 1 && first?.answer) {
    const { answer, explanation = null } = first;
    return (
      <>
        {answer.provider === 'fusion' ? (
          <FusionPicture {...{ answer, explanation, nameOf, top_k: default_top_k }} />
        ) : null}
        <SearchAnswer answer={answer} name={providerName(all, answer.provider)} />
      </>
    );
  }
  return (
    <div className="beside" role="region" aria-label="Engines side by side" tabIndex={0}>
      {columns.map(({ engine, answer, error }) => (
        <div key={engine}>
          {answer ? <SearchAnswer answer={answer} name={nameOf(engine)} /> : null}
          {error ? (
            <>
              <strong>{nameOf(engine)}</strong>
              <ErrorNote error={error} />
            </>
          ) : null}
        </div>
      ))}
    </div>
  );
}
