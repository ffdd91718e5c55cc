// The results of a search, from one engine or from several side by side.
import type { SearchResponse, SearchResult } from '@trivium/contract';
import { day } from '../format.ts';
import { Empty } from '../components/basics.tsx';
import { WebLink } from '../components/web-link.tsx';
import { ResponseHead, Raw } from './response-head.tsx';

export function SearchResults({ answer, name }: { answer: SearchResponse; name: string }) {
  const { usage, latency_ms, warnings, results } = answer;
  return (
    <div className="stack">
      <ResponseHead provider={name} usage={usage} latency_ms={latency_ms} warnings={warnings} />
      {results.length === 0 ? (
        <Empty title="No results">The engine found nothing. Try fewer filters.</Empty>
      ) : (
        <ol className="results">
          {results.map((result) => (
            <Result key={result.id} result={result} />
          ))}
        </ol>
      )}
      <Raw value={answer} />
    </div>
  );
}

export function Result({ result }: { result: SearchResult }) {
  const { url, title, snippets, summary, published_date, author, score, full_text } = result;
  const facts = [
    published_date === undefined ? '' : day(published_date),
    author ?? '',
    score === undefined ? '' : `score ${score}${result.score_synthesized ? ' by rank' : ''}`,
  ].filter((fact) => fact !== '');
  return (
    <li className="result">
      <WebLink url={url}>{title ?? url}</WebLink>
      <div className="result-url">{url}</div>
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
          <summary>Whole text</summary>
          <p className="whole">{full_text}</p>
        </details>
      )}
    </li>
  );
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
