// Explains a fusion in a header: who ranked what where, and why pages were left out.
import type { SearchEngineId } from '@trivium/contract';
import type { Fused, Fusion, LeftOut } from '../domain/fusion.ts';

export const explain_header = 'x-trivium-explain';

/** Proxies and clients commonly refuse headers of more than this. */
const max_header_chars = 8000;
/** What the closing part of the text may take. */
const reserved_chars = 80;
const max_url_chars = 300;

/** JSON in ASCII: `results` in the order of the answer, `left_out`, and how many did not fit. */
export function explainFusion(fusion: Fusion, idOf: (page: Fused) => string): string {
  const room = { chars: max_header_chars - reserved_chars };
  const results = fusion.results.map((page) => asciiJson({ id: idOf(page), ranks: ranksOf(page) }));
  const shown = fit(results, room);
  const left_out = fusion.left_out.map((entry) => asciiJson(shortened(entry)));
  const named = fit(left_out, room);
  const beyond = {
    results: results.length - shown.length,
    left_out: left_out.length - named.length,
  };
  const cut = beyond.results + beyond.left_out > 0 ? `,"not_shown":${JSON.stringify(beyond)}` : '';
  return `{"results":[${shown.join(',')}],"left_out":[${named.join(',')}]${cut}}`;
}

function ranksOf({ sightings }: Fused): Partial<Record<SearchEngineId, number>> {
  return Object.fromEntries(sightings.map(({ engine, rank }) => [engine, rank]));
}

function shortened({ engine, rank, url, reason }: LeftOut): object {
  return { engine, rank, url: url.slice(0, max_url_chars), reason };
}

function fit(entries: readonly string[], room: { chars: number }): string[] {
  const fitting: string[] = [];
  for (const entry of entries) {
    if (room.chars < entry.length + 1) break;
    room.chars -= entry.length + 1;
    fitting.push(entry);
  }
  return fitting;
}

/** Headers carry ASCII; JSON can write any other character as an escape. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
