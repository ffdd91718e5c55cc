// Brave accepts everything as text; its schemas have numbers, booleans and lists.

/**
 * A query string as the schema reads it: its own name for the query, numbers, booleans and lists.
 */
export function typedQuery(query: URLSearchParams): Record<string, unknown> {
  const given = new Map<string, unknown>();
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    const value = readers[name]?.(values[0] ?? '') ?? (values.length > 1 ? values : values[0]);
    given.set(name === 'q' ? 'query' : name, value);
  }
  return Object.fromEntries(given);
}

const truth = (text: string) => ({ true: true, false: false })[text];
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  count: Number,
  offset: Number,
  extra_snippets: truth,
  text_decorations: truth,
  spellcheck: truth,
  result_filter: (text) => text.split(','),
};
