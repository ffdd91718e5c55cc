// The ticks of a value axis: from zero, at round numbers.

export interface Ticks {
  values: number[];
  step: number;
  /** The top of the axis. */
  top: number;
}

const maxSteps = 4;
const roundSteps = [1, 2, 5, 10];

/** `whole` is for counts: there is no half request. */
export function ticksFor(most: number, whole: boolean): Ticks {
  const step = stepFor(most > 0 ? most : 1, whole);
  const steps = Math.max(1, Math.ceil(most / step - 1e-9));
  const values = Array.from({ length: steps + 1 }, (_, place) => place * step);
  return { values, step, top: steps * step };
}

function stepFor(most: number, whole: boolean): number {
  const least = most / maxSteps;
  const unit = 10 ** Math.floor(Math.log10(least));
  const step = unit * (roundSteps.find((one) => one * unit >= least * (1 - 1e-9)) ?? 10);
  return whole ? Math.max(1, step) : step;
}

/** Labels about `wanted` evenly spaced places of a time axis, always including the last. */
export function isLabelled(place: number, count: number, wanted: number): boolean {
  const apart = Math.max(1, Math.ceil(count / wanted));
  return (count - 1 - place) % apart === 0;
}
