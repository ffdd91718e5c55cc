// Explains a fusion in a header: the ranks of each page, the reason for its position, and why pages
// were left out.
import type { SearchEngineId } from '@trivium/contract';
import type { Fused, Fusion, LeftOut } from './core/merge.ts';
import { reasonForPlace, relativeEvidence } from './core/order-reason.ts';

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
      ranks: ranksOf(page),
      evidence: relativeEvidence(page),
      why: reasonForPlace(page, fusion.results[at + 1]),
    }),
  );
  const fitting = fit(results, limiter);
  const leftOut = fusion.left_out.map((entry) => asciiJson(shortened(entry)));
  const named = fit(leftOut, limiter);
  const beyond = {
    results: results.length - fitting.length,
    left_out: leftOut.length - named.length,
  };
  const cut = beyond.results + beyond.left_out > 0 ? `,"not_shown":${JSON.stringify(beyond)}` : '';
  return `{"results":[${fitting.join(',')}],"left_out":[${named.join(',')}]${few}${cut}}`;
}

function ranksOf({ sightings }: Fused): Partial<Record<SearchEngineId, number>> {
  return Object.fromEntries(sightings.map(({ engine, rank }) => [engine, rank]));
}

function shortened({ engine, rank, url, reason }: LeftOut): object {
  return { engine, rank, url: url.slice(0, maxUrlChars), reason };
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
