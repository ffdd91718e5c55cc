// Explains the rank of a fused page, in one sentence for people.
import type { SearchEngineId } from '@trivium/contract';
import { evidenceOf } from './merge.ts';
import type { Fused } from './merge.ts';

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
