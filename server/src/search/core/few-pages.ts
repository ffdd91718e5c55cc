// Explains why a fusion kept fewer pages than were requested from each member.
import type { SearchEngineId } from '@trivium/contract';
import type { Fusion } from './merge.ts';

interface Asked {
  /** The requested panel, whether its members could run or not. */
  panel: readonly SearchEngineId[];
  /** The members that returned a list. */
  answered: readonly SearchEngineId[];
  maxResults: number;
  topK: number;
}

/** Undefined if there are as many pages as were requested from one member. */
export function reasonForFewPages(fusion: Fusion, asked: Asked): string | undefined {
  const { panel, answered, maxResults, topK } = asked;
  const kept = fusion.results.length;
  if (kept >= maxResults) return undefined;
  const lengths = listLengths(fusion);
  const absent = panel.filter((engine) => !answered.includes(engine));
  const short = answered.filter((engine) => (lengths.get(engine) ?? 0) < maxResults);
  const causes = [
    ...(absent.length > 0 ? [`${absent.join(', ')} returned no list`] : []),
    ...short.map((engine) => `${engine} returned ${pages(lengths.get(engine) ?? 0)}`),
  ];
  const cause = causes.length > 0 ? causes.join('; ') : `only ${answered.length} lists were merged`;
  return (
    `${pages(kept)} kept, fewer than max_results (${maxResults}): ${cause}. ` +
    `A page that one member alone returned is kept only within its first ${topK} (top_k).`
  );
}

function listLengths({ results, left_out: leftOut }: Fusion): Map<SearchEngineId, number> {
  const listed = [
    ...results.flatMap(({ sightings }) => sightings),
    ...leftOut.filter(({ reason }) => reason === 'below_top_k'),
  ];
  const lengths = new Map<SearchEngineId, number>();
  for (const { engine } of listed) lengths.set(engine, (lengths.get(engine) ?? 0) + 1);
  return lengths;
}

function pages(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`;
}
