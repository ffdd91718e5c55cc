// Merges a caller's native options into an outgoing request: objects are merged deeply, everything
// else is replaced.

type Json = Record<string, unknown>;

/** In a JSON body, null is sent as null. */
export function mergeBody(body: Json, options: Json): Json {
  const merged: Json = { ...body };
  for (const key of Object.keys(options)) {
    const ours = merged[key];
    const given = options[key];
    merged[key] = isPlain(ours) && isPlain(given) ? mergeBody(ours, given) : given;
  }
  return merged;
}

type Value = string | number | boolean;
/** A list repeats its parameter, once for each value. */
export type Query = Record<string, Value | readonly Value[] | undefined>;

/** In a query string, null removes the parameter, and an object is written as JSON. */
export function mergeQuery(query: Query, options: Json): Query {
  const merged: Query = { ...query };
  for (const key of Object.keys(options)) {
    const value = options[key];
    if (value === null || value === undefined) merged[key] = undefined;
    else if (Array.isArray(value)) merged[key] = value.map(inQuery);
    else merged[key] = inQuery(value);
  }
  return merged;
}

function inQuery(value: unknown): Value {
  return typeof value === 'object' ? JSON.stringify(value) : (value as Value);
}

function isPlain(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
