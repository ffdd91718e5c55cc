// Where the points of the chart of price against quality are drawn.

/** Points with nearly the same price stand side by side. */
const near = 0.03;
const apartPx = 12;

/** By how many pixels each point is moved, from the shares of the width where they belong. */
export function placesOf(shares: readonly number[]): number[] {
  const places = shares.map(() => 0);
  let group: number[] = [];
  const order = shares.map((share, at) => ({ share, at })).toSorted((a, b) => a.share - b.share);
  for (const [place, { share, at }] of order.entries()) {
    if (share - (order[place - 1]?.share ?? -1) >= near) group = [];
    group.push(at);
    for (const [index, one] of group.entries()) {
      places[one] = (index - (group.length - 1) / 2) * apartPx;
    }
  }
  return places;
}

const steps = [0.02, 0.05, 0.1, 0.2];
const maxSteps = 5;

/** The part of the range from 0 to 1 that has every interval, with ticks at round numbers. */
export function qualityAxis(intervals: readonly { lower: number; upper: number }[]) {
  const least = Math.min(1, ...intervals.map(({ lower }) => lower));
  const most = Math.max(least, ...intervals.map(({ upper }) => upper));
  const ticksOf = (step: number) => {
    const first = Math.min(Math.floor(least / step + 1e-9), Math.round(1 / step) - 1);
    const last = Math.max(Math.ceil(most / step - 1e-9), first + 1);
    return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  };
  const values = steps.map(ticksOf).find(({ length }) => length <= maxSteps + 1) ?? ticksOf(0.2);
  return { bottom: values[0] ?? 0, top: values.at(-1) ?? 1, values };
}
