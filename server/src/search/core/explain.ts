// Explains a fusion: in a header the ranks of each page, the reason for its position and why pages
// were left out, and why it kept fewer pages than were requested from each member.
import type { SearchEngineId } from '@trivium/contract';
import { evidenceOf, type Fused, type Fusion } from './merge.ts';

export const explainHeader = 'x-trivium-explain';

/** Many proxies and clients refuse longer headers. */
const maxHeaderChars = 8000;
/** Reserved for the end of the text. */
const reservedChars = 80;
const maxUrlChars = 300;

/**
 * JSON in ASCII: `results` in the order of the answer, `left_out`, `few_pages` if there is
 * something to explain, and how many entries did not fit.
 */
export function explainFusion(
  fusion: Fusion,
  idOf: (page: Fused) => string,
  fewPages?: string,
): string {
  const few = fewPages === undefined ? '' : `,${asciiJson({ few_pages: fewPages }).slice(1, -1)}`;
  const limiter = { chars: maxHeaderChars - reservedChars - few.length };
  const results = fusion.results.map((page, at) =>
    asciiJson({
      id: idOf(page),
      ranks: Object.fromEntries(page.sightings.map(({ engine, rank }) => [engine, rank])),
      evidence: relativeEvidence(page),
      why: reasonForPlace(page, fusion.results[at + 1]),
    }),
  );
  const fitting = fit(results, limiter);
  const leftOut = fusion.left_out.map(({ engine, rank, url, reason }) =>
    asciiJson({ engine, rank, url: url.slice(0, maxUrlChars), reason }),
  );
  const named = fit(leftOut, limiter);
  const beyond = {
    results: results.length - fitting.length,
    left_out: leftOut.length - named.length,
  };
  const cut = beyond.results + beyond.left_out > 0 ? `,"not_shown":${JSON.stringify(beyond)}` : '';
  return `{"results":[${fitting.join(',')}],"left_out":[${named.join(',')}]${few}${cut}}`;
}

function fit(entries: readonly string[], limiter: { chars: number }): string[] {
  const fitting: string[] = [];
  for (const entry of entries) {
    if (limiter.chars < entry.length + 1) break;
    limiter.chars -= entry.length + 1;
    fitting.push(entry);
  }
  return fitting;
}

/** Headers contain only ASCII. JSON can write any other character as an escape. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const evidenceDecimals = 2;

/** The evidence for a page relative to a first place: one engine that ranks it first gives 1. */
export function relativeEvidence({ evidence }: Pick<Fused, 'evidence'>): number {
  return Number((evidence / evidenceOf(1)).toFixed(evidenceDecimals));
}

/** Says what ranks a page above the next one, using the same steps that ordered them. */
export function reasonForPlace(page: Fused, next: Fused | undefined): string {
  const own = relativeEvidence(page);
  if (!next) return `Last: evidence ${own} from ${engines(page.score)}.`;
  if (page.evidence !== next.evidence) {
    const nextEvidence = relativeEvidence(next);
    const mine = `Evidence ${own} from ${engines(page.score)}`;
    return own === nextEvidence
      ? `${mine}, slightly more than the next page.`
      : `${mine}; the next page has ${nextEvidence} from ${next.score}.`;
  }
  const same = `Evidence ${own}, the same as the next page`;
  if (page.score !== next.score) {
    return `${same}, but from more engines: ${page.score} instead of ${next.score}.`;
  }
  const best = bestOf(page);
  const bestOfNext = bestOf(next);
  if (best.rank !== bestOfNext.rank) {
    return `${same}, but with a better best rank: ${best.rank} instead of ${bestOfNext.rank}.`;
  }
  // No engine has two pages at one rank, so the panel decides at the latest.
  return `${same}; ${best.engine} comes before ${bestOfNext.engine} in the panel.`;
}

/** The best rank, and the first engine in the panel that gave it. */
function bestOf({ sightings }: Fused): { engine: SearchEngineId | undefined; rank: number } {
  const rank = Math.min(...sightings.map((sighting) => sighting.rank));
  return { rank, engine: sightings.find((sighting) => sighting.rank === rank)?.engine };
}

function engines(count: number): string {
  return count === 1 ? '1 engine' : `${count} engines`;
}

interface AskedMembers {
  /** The requested panel, whether its members could run or not. */
  panel: readonly SearchEngineId[];
  /** The members that returned a list. */
  answered: readonly SearchEngineId[];
  maxResults: number;
  topK: number;
}

/** Undefined if there are as many pages as were requested from one member. */
export function reasonForFewPages(fusion: Fusion, asked: AskedMembers): string | undefined {
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
