// Colours of charts: distinguishable, and the same wherever a provider, key or tool is drawn.
import { expect, test } from 'bun:test';
import { providerIds } from '@trivium/contract/provider-names';
import { colourOfOthers, groupColours, providerColour } from './colours.ts';

/** In OKLab, where a difference of 0.02 can just be seen. */
const leastDifference = 0.06;

test('the colours of any two providers differ clearly, in both themes', () => {
  const colours = ['fusion', ...providerIds].map(providerColour);
  for (const theme of [0, 1]) {
    const points = colours.map((colour) => pointOf(colour, theme));
    for (const [place, one] of points.entries()) {
      for (const other of points.slice(place + 1)) {
        expect(Math.hypot(...one.map((value, axis) => value - (other[axis] ?? 0)))).toBeGreaterThan(
          leastDifference,
        );
      }
    }
  }
  expect(providerColour('engine_of_a_newer_version')).toBe(colourOfOthers);
});

test('a group has its colour whichever others are drawn, and no two of a chart share one', () => {
  const keys = ['key_c', 'key_a', 'key_b', 'key_d'];
  const all = groupColours(keys, keys);
  expect(new Set(keys.map(all)).size).toBe(4);
  for (const key of keys) expect(groupColours([key], keys)(key)).toBe(all(key));
  expect(groupColours(['a', 'b'].toReversed())('a')).toBe(groupColours(['a', 'b'])('a'));
  const many = Array.from({ length: 40 }, (_, place) => `team-${place}`);
  const ofMany = many.map(groupColours(many)).filter((colour) => colour !== colourOfOthers);
  expect([ofMany.length, new Set(ofMany).size]).toEqual([16, 16]);
  expect(groupColours(['a'])('constructor')).toBe(colourOfOthers);
});

/** Lightness, and the two axes of colour. */
function pointOf(colour: string, theme: number): number[] {
  const found = [...colour.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)][theme] ?? [];
  const [lightness = Number.NaN, chroma = 0, hue = 0] = found.slice(1).map(Number);
  const turn = (hue / 180) * Math.PI;
  return [lightness, chroma * Math.cos(turn), chroma * Math.sin(turn)];
}
