// The results of a search, from one engine or from several side by side.
import type { SearchResponse, SearchResult } from '@trivium/contract';
import { day } from '../format.ts';
import { Empty, Tag } from '../components/basics.tsx';
import { WebLink } from '../components/web-link.tsx';
import { evidenceWords } from './fusion-matrix.tsx';
import { ResponseHead, Raw } from './response-head.tsx';

interface SearchResultsProps {
  answer: SearchResponse;
  name: string;
  /** Only for a fusion. */
  explanation?: string | null;
  /** The names of the other engines that found a page. */
  alsoIn?: (url: string) => readonly string[];
}

export function SearchResults({ answer, name, explanation, alsoIn }: SearchResultsProps) {
  const { usage, latency_ms, warnings, results } = answer;
  return (
    <div className="stack">
      <ResponseHead provider={name} usage={usage} latency_ms={latency_ms} warnings={warnings} />
      {results.length === 0 ? (
        <Empty title="No results">The engine found nothing for this request.</Empty>
      ) : (
        <ol className="results">
          {results.map((result) => (
            <Result
              key={result.id}
              result={result}
              evidence={evidenceWords(explanation ?? null, result.id)}
              alsoIn={alsoIn?.(result.url) ?? []}
            />
          ))}
        </ol>
      )}
      <Raw value={answer} />
    </div>
  );
}

interface ResultProps {
  result: SearchResult;
  /** Only for a fusion: why the page has its rank. */
  evidence?: string | undefined;
  alsoIn?: readonly string[];
}

export function Result({ result, evidence, alsoIn = [] }: ResultProps) {
  const { url, title, snippets, summary, published_date, author, full_text } = result;
  const facts = [
    published_date === undefined ? '' : day(published_date),
    author ?? '',
    evidence ?? scoreWords(result),
  ].filter((fact) => fact !== '');
  return (
    <li className="result">
      <WebLink url={url}>{title ?? url}</WebLink>
      <div className="result-url">{url}</div>
      {alsoIn.length === 0 ? null : (
        <div>
          <Tag tone="accent">Also found by {alsoIn.join(', ')}</Tag>
        </div>
      )}
      {facts.length === 0 ? null : <div className="small soft">{facts.join(' · ')}</div>}
      {summary === undefined ? null : <p className="note">{summary}</p>}
      {snippets.slice(0, 1).map((snippet) => (
        <p key={snippet} className="snippet">
          {snippet}
        </p>
      ))}
      <MoreSnippets snippets={snippets.slice(1)} />
      {full_text === undefined ? null : (
        <details className="small">
          <summary>Full text</summary>
          <p className="whole">{full_text}</p>
        </details>
      )}
    </li>
  );
}

function scoreWords({ score, score_synthesized }: SearchResult): string {
  if (score === undefined) return '';
  return `score ${score}${score_synthesized ? ' by rank' : ''}`;
}

function MoreSnippets({ snippets }: { snippets: readonly string[] }) {
  if (snippets.length === 0) return null;
  return (
    <details className="small">
      <summary>
        {snippets.length} more {snippets.length === 1 ? 'excerpt' : 'excerpts'}
      </summary>
      {snippets.map((snippet) => (
        <p key={snippet} className="snippet">
          {snippet}
        </p>
      ))}
    </details>
  );
}
