// Recorded answers with the fields that vendors' own clients require and fixtures leave out.

/**
 * The client of Tavily needs `images`, and the one of You.com every optional field, at least as
 * null, and no date it cannot read: fixtures leave those out.
 */
export function completed(answer: unknown): unknown {
  if (Array.isArray(answer)) {
    return answer.map((page: object) => ({ html: null, markdown: null, ...page, metadata: null }));
  }
  const { results } = answer as { results?: unknown };
  if (Array.isArray(results)) return { images: [], ...(answer as object) };
  if (typeof results !== 'object' || results === null) return answer;
  const lists = Object.entries(results).map(([name, list]) => [
    name,
    (list as Hit[]).map(withNulls),
  ]);
  const found: object = Object.fromEntries(lists) as object;
  return { ...(answer as object), metadata: null, results: { web: null, news: null, ...found } };
}

type Hit = { page_age?: unknown; contents?: object | null };

function withNulls({ page_age: age, contents, ...hit }: Hit): object {
  const readable = typeof age === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:]{8}/.test(age);
  return {
    description: null,
    snippets: null,
    authors: null,
    thumbnail_url: null,
    favicon_url: null,
    ...hit,
    page_age: readable ? age : null,
    contents: contents ? { html: null, markdown: null, ...contents } : null,
  };
}
