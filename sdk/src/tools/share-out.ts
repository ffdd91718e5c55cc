// Divides a budget of characters among pages: what a short page does not need goes to the longer
// ones.
export function shareOut(lengths: readonly number[], budget: number): number[] {
  const shares = lengths.map(() => 0);
  const shortestFirst = lengths.map((length, at) => ({ length, at }));
  shortestFirst.sort((one, other) => one.length - other.length);
  let left = budget;
  shortestFirst.forEach(({ length, at }, position) => {
    const share = Math.min(length, Math.floor(left / (lengths.length - position)));
    shares[at] = share;
    left -= share;
  });
  return shares;
}
