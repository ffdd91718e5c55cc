// The fusion matrix: which engine returned which page at which rank, the resulting evidence, and
// why each page ranks above the next.
import type { SearchResponse } from '@trivium/contract';

interface Explanation {
  results: { id: string; ranks: Record<string, number>; evidence: number; why: string }[];
  left_out: { engine: string; rank: number; url: string; reason: string }[];
  few_pages?: string;
  not_shown?: { results: number; left_out: number };
}

function enginesOf({ results, left_out }: Explanation): string[] {
  const kept = results.flatMap(({ ranks }) => Object.keys(ranks));
  return [...new Set([...kept, ...left_out.map(({ engine }) => engine)])].sort();
}

/** How many of the engines found a page, and the evidence that decides the order. */
export function evidenceWords(explanation: string | null, id: string): string | undefined {
  const fusion = read(explanation);
  const page = fusion?.results.find((result) => result.id === id);
  if (!fusion || !page) return undefined;
  const [found, all] = [Object.keys(page.ranks).length, enginesOf(fusion).length];
  return `found by ${found} of ${all} engines · evidence ${page.evidence}`;
}

interface FusionMatrixProps {
  answer: SearchResponse;
  explanation: string | null;
  nameOf: (engine: string) => string;
  top_k: number;
}

export function FusionMatrix({ answer, explanation, nameOf, top_k }: FusionMatrixProps) {
  const fusion = read(explanation);
  if (!fusion) return null;
  const engines = enginesOf(fusion);
  return (
    <section className="stack tight" aria-label="How the panel decided">
      <h2>How the panel decided</h2>
      <Legend top_k={top_k} />
      {fusion.few_pages === undefined ? null : <p role="note">{fusion.few_pages}</p>}
      <div className="table-box" role="region" aria-label="Ranks by engine" tabIndex={0}>
        <table className="matrix fusion">
          <thead>
            <tr>
              <th scope="col">Page</th>
              {engines.map((engine) => (
                <th key={engine} scope="col">
                  {nameOf(engine)}
                </th>
              ))}
              <th scope="col">Evidence</th>
            </tr>
          </thead>
          <tbody>
            {fusion.results.map(({ id, ranks, evidence, why }) => (
              <tr key={id}>
                <th scope="row">
                  {titleOf(answer, id)}
                  <span className="reason">
                    Kept: {reasonFor(ranks, top_k)}. {why}
                  </span>
                </th>
                {engines.map((engine) => (
                  <td key={engine}>
                    <Rank rank={ranks[engine]} top_k={top_k} />
                  </td>
                ))}
                <td>{evidence}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <LeftOut fusion={fusion} nameOf={nameOf} />
    </section>
  );
}

function Rank({ rank, top_k }: { rank: number | undefined; top_k: number }) {
  if (rank === undefined) return <span className="soft">–</span>;
  return (
    <span className="rank">
      <span className={rank <= top_k ? 'dot good' : 'dot'}>{rank}</span>
      <span className="rank-evidence">{evidenceOf(rank)}</span>
    </span>
  );
}

/** What an engine adds with this rank; first place adds 1. */
function evidenceOf(rank: number): string {
  return (3 / (rank + 2)).toFixed(2);
}

function Legend({ top_k }: { top_k: number }) {
  const ranks = [1, 2, 3, 4, 10];
  return (
    <dl className="legend small" aria-label="Legend">
      <div>
        <dt>
          <span className="dot good">1</span>
        </dt>
        <dd>the rank an engine gave the page, within its first {top_k}</dd>
      </div>
      <div>
        <dt>
          <span className="dot">{top_k + 1}</span>
        </dt>
        <dd>a lower rank: another engine has to return the page as well</dd>
      </div>
      <div>
        <dt>–</dt>
        <dd>the engine did not return the page</dd>
      </div>
      <div>
        <dt className="rank-evidence">{evidenceOf(2)}</dt>
        <dd>
          what a rank adds as evidence:{' '}
          {ranks.map((rank) => `${evidenceOf(rank)} for rank ${rank}`).join(', ')}. The row with the
          most evidence comes first.
        </dd>
      </div>
    </dl>
  );
}

function LeftOut({ fusion, nameOf }: { fusion: Explanation; nameOf: (engine: string) => string }) {
  const hidden = fusion.not_shown?.left_out ?? 0;
  if (fusion.left_out.length + hidden === 0) return null;
  return (
    <details className="small">
      <summary>{fusion.left_out.length + hidden} pages were left out</summary>
      <ul className="stack tight">
        {fusion.left_out.map(({ engine, rank, url, reason }) => (
          <li key={`${engine}${rank}${url}`}>
            <span className="result-url">{url}</span>
            <br />
            {nameOf(engine)}, rank {rank}: {reason.replaceAll('_', ' ')}
          </li>
        ))}
      </ul>
      {hidden === 0 ? null : <p className="soft">And {hidden} more that did not fit here.</p>}
    </details>
  );
}

function reasonFor(ranks: Record<string, number>, topK: number): string {
  const engines = Object.keys(ranks).length;
  if (engines > 1) return `${engines} engines agree`;
  return `in one engine’s top ${topK}`;
}

function titleOf(answer: SearchResponse, id: string): string {
  const result = answer.results.find((one) => one.id === id);
  return result?.title ?? result?.url ?? id;
}

function read(text: string | null): Explanation | undefined {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as Explanation;
  } catch {
    return undefined;
  }
}
