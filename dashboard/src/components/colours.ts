// The colours of charts and marks: one source, so that a figure has the same colour on every page.
import { providerIds } from '@trivium/contract/provider-names';
import type { Outcome } from '@trivium/contract/outcomes';
import { toolTitles, useKeys } from '../api/names.ts';

export const outcomeColours: Readonly<Record<Outcome, string>> = {
  served: 'var(--good)',
  refused: 'var(--warn-fill)',
  failed: 'var(--bad)',
};

export const colourOfOthers = 'var(--series-other)';

/** Eight hues, each dark and light. */
const colours = 16;

function colourAt(place: number): string {
  // Neighbours in a list get hues that are far apart.
  const hue = (place * 135 + 155) % 360;
  const [onLight, onDark] = place < colours / 2 ? [0.46, 0.82] : [0.64, 0.62];
  return `light-dark(oklch(${onLight} 0.12 ${hue}), oklch(${onDark} 0.12 ${hue}))`;
}

const colouredProviders: readonly string[] = ['fusion', ...providerIds];

/** A provider always has the same colour, whichever others are shown. */
export function providerColour(id: string): string {
  const place = colouredProviders.indexOf(id);
  return place < 0 ? colourOfOthers : colourAt(place);
}

/**
 * The colours of the groups of a chart. Each group prefers the colour of its place among all that
 * are `known`, or one that follows from its name, so that it has the same colour in other charts.
 * If two prefer the same one, the second takes the next that is free.
 */
export function groupColours(
  groups: readonly string[],
  known: readonly string[] = [],
): (group: string) => string {
  const wanted = (group: string) => {
    const place = known.indexOf(group);
    return (place < 0 ? hashOf(group) : place) % colours;
  };
  const taken = new Map<string, number>();
  for (const group of groups.toSorted().slice(0, colours)) {
    let place = wanted(group);
    while ([...taken.values()].includes(place)) place = (place + 1) % colours;
    taken.set(group, place);
  }
  return (group) => {
    const place = taken.get(group);
    return place === undefined ? colourOfOthers : colourAt(place);
  };
}

/** For charts by this property of requests. */
export function useColours(by: string, groups: readonly string[]): (group: string) => string {
  const keys = useKeys().data?.keys ?? [];
  if (by === 'provider') return providerColour;
  if (by === 'tool') return groupColours(groups, Object.keys(toolTitles));
  if (by !== 'key') return groupColours(groups);
  const byAge = keys.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
  return groupColours(groups, ['dashboard', ...byAge.map(({ id }) => id)]);
}

function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7);
}
