// Kendall's tau: how far two orders of the same things agree, from -1 (reversed) to 1 (the same).

/** Tau-b, which allows for ties. `one` and `other` are the figures by which each orders. */
export function kendallTau(one: readonly number[], other: readonly number[]): number {
  let agreeing = 0;
  let tiedInOne = 0;
  let tiedInOther = 0;
  let pairs = 0;
  for (let i = 0; i < one.length; i += 1) {
    for (let j = i + 1; j < one.length; j += 1) {
      const first = Math.sign((one[i] ?? 0) - (one[j] ?? 0));
      const second = Math.sign((other[i] ?? 0) - (other[j] ?? 0));
      pairs += 1;
      if (first === 0) tiedInOne += 1;
      if (second === 0) tiedInOther += 1;
      agreeing += first * second;
    }
  }
  return agreeing / Math.sqrt((pairs - tiedInOne) * (pairs - tiedInOther));
}
