// Extracted pages, rendered or as source, and the list of failed pages.
import { lazy, Suspense, useState } from 'react';
import type { ExtractResponse, ExtractResult } from '@trivium/contract';
import { Loading, Segments } from '../components/basics.tsx';
import { ResponseHead, Raw } from './response-head.tsx';

/** Loaded when the first page is shown. */
const Markdown = lazy(() => import('react-markdown'));

export function ExtractedPages({ answer, name }: { answer: ExtractResponse; name: string }) {
  const { usage, latency_ms, warnings, results, failed } = answer;
  return (
    <div className="stack">
      <ResponseHead provider={name} usage={usage} latency_ms={latency_ms} warnings={warnings} />
      {failed.length === 0 ? null : (
        <ul className="note bad" aria-label="Failed pages">
          {failed.map(({ url, error }) => (
            <li key={url}>
              <span className="mono">{url}</span>: {error}
            </li>
          ))}
        </ul>
      )}
      {results.map((page) => (
        <PageView key={page.url} page={page} />
      ))}
      <Raw value={answer} />
    </div>
  );
}

function PageView({ page }: { page: ExtractResult }) {
  const [view, setView] = useState<'rendered' | 'source' | 'both'>('both');
  const { url, title, content, excerpts, summary } = page;
  return (
    <article className="stack tight page-view">
      <div className="row apart">
        <h2>{title ?? url}</h2>
        <Segments
          label="Show the page as"
          options={[
            ['both', 'Both'],
            ['rendered', 'Rendered'],
            ['source', 'Source'],
          ]}
          value={view}
          onChange={setView}
        />
      </div>
      <div className="result-url">{page.final_url ?? url}</div>
      {summary === undefined ? null : <p className="note">{summary}</p>}
      {excerpts?.map((excerpt) => (
        <blockquote key={excerpt} className="snippet">
          {excerpt}
        </blockquote>
      ))}
      {content === undefined ? null : (
        <div className={view === 'both' ? 'two-views' : 'stack'}>
          {view === 'source' ? null : (
            <div className="rendered" role="region" aria-label="Rendered page" tabIndex={0}>
              <Suspense fallback={<Loading />}>
                <Markdown
                  disallowedElements={['img']}
                  components={{ h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' }}
                >
                  {content}
                </Markdown>
              </Suspense>
            </div>
          )}
          {view === 'rendered' ? null : (
            <pre className="code" tabIndex={0} aria-label="Source of the page">
              {content}
            </pre>
          )}
        </div>
      )}
    </article>
  );
}
