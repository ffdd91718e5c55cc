// Reads a vendor's JSON, and limits its depth: serializing a value that is nested too deeply would
// exhaust the stack, so it is not passed on.

/** The value; undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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
