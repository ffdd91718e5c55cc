// How deep a vendor's JSON goes: what is nested deeper than any program means it to be exhausts the
// stack of whatever writes it out again, so it is not passed on.

/** No vendor's answer comes near it. */
const deepest = 200;

/** The value itself, or undefined when it is nested too deep. Walks without recursion. */
export function notTooDeep(value: unknown): unknown {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return undefined;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one).filter(isNested) : [],
    );
  }
  return value;
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
