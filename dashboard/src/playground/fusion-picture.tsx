// Fusion as a picture: which engine returned which page at which rank, and why it survived.
import type { SearchResponse } from '@trivium/contract';

interface Explanation {
  results: { id: string; ranks: Record<string, number> }[];
  left_out: { engine: string; rank: number; url: string; reason: string }[];
  not_shown?: { results: number; left_out: number };
}

interface FusionPictureProps {
  answer: SearchResponse;
  explanation: string | null;
  nameOf: (engine: string) => string;
  top_k: number;
}

export function FusionPicture({ answer, explanation, nameOf, top_k }: FusionPictureProps) {
  const told = read(explanation);
  if (!told) return null;
  const engines = [
    ...new Set([
      ...told.results.flatMap(({ ranks }) => Object.keys(ranks)),
      ...told.left_out.map(({ engine }) => engine),
    ]),
  ].sort();
  return (
    <section className="stack tight" aria-label="How the panel decided">
      <h2>How the panel decided</h2>
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
              <th scope="col">Kept because</th>
            </tr>
          </thead>
          <tbody>
            {told.results.map(({ id, ranks }) => (
              <tr key={id}>
                <th scope="row">{titleOf(answer, id)}</th>
                {engines.map((engine) => (
                  <td key={engine}>
                    <Rank rank={ranks[engine]} top_k={top_k} />
                  </td>
                ))}
                <td className="reason">{reasonFor(ranks, top_k)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <LeftOut told={told} nameOf={nameOf} />
    </section>
  );
}

function Rank({ rank, top_k }: { rank: number | undefined; top_k: number }) {
  if (rank === undefined) return <span className="soft">–</span>;
  return <span className={rank <= top_k ? 'dot good' : 'dot'}>{rank}</span>;
}

function LeftOut({ told, nameOf }: { told: Explanation; nameOf: (engine: string) => string }) {
  const hidden = told.not_shown?.left_out ?? 0;
  if (told.left_out.length + hidden === 0) return null;
  return (
    <details className="small">
      <summary>{told.left_out.length + hidden} pages were left out</summary>
      <ul className="stack tight">
        {told.left_out.map(({ engine, rank, url, reason }) => (
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

function reasonFor(ranks: Record<string, number>, top_k: number): string {
  const engines = Object.keys(ranks).length;
  if (engines > 1) return `${engines} engines agree`;
  return `in one engine’s top ${top_k}`;
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
