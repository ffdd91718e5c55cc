// Canonical JSON: equal values produce equal text, whatever the order of their object keys.

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isObject(part) ? sorted(part) : part));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype, so that a key named `__proto__` stays a key. */
function sorted(value: Record<string, unknown>): Record<string, unknown> {
  const ordered = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value).toSorted()) ordered[key] = value[key];
  return ordered;
}
