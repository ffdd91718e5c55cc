// The answer of the playground's search: from one engine, a fusion, or several side by side.
import type { SearchResponse } from '@trivium/contract';
import { providerName } from '../api/names.ts';
import { ErrorNote } from '../components/basics.tsx';
import { FusionMatrix } from './fusion-matrix.tsx';
import { SearchResults } from './search-results.tsx';
import { foundBy } from './shared-pages.ts';
import type { ToolProps } from './tool-layout.tsx';

export interface Column {
  engine: string;
  answer?: SearchResponse;
  explanation?: string | null;
  /** What went wrong, as text, because the answer is stored in this tab. */
  error?: string;
}

const defaultTopK = 3;

interface AnswerProps extends Pick<ToolProps, 'all'> {
  columns: readonly Column[];
}

export function SearchAnswer({ columns, all }: AnswerProps) {
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
  const shared = foundBy(
    columns.map(({ engine, answer }) => ({
      engine,
      urls: answer?.results.map(({ url }) => url) ?? [],
    })),
  );
  return (
    <div className="beside" role="region" aria-label="Engines side by side" tabIndex={0}>
      {columns.map(({ engine, answer, error }) => (
        <div key={engine}>
          {answer ? (
            <SearchResults
              answer={answer}
              name={providerName(engine)}
              alsoIn={(url) => shared(url, engine).map(nameOf)}
            />
          ) : null}
          {error === undefined ? null : (
            <>
              <strong>{providerName(engine)}</strong>
              <ErrorNote error={new Error(error)} />
            </>
          )}
        </div>
      ))}
    </div>
  );
}
