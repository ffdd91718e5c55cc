// Search operators inside a query, for vendors whose API has no fields for them.

export type ReadQuery = {
  /** The query without its operators. */
  words: string;
  sites: string[];
  excluded_sites: string[];
  phrases: string[];
  after?: string;
  before?: string;
};

/** Reads `site:`, `-site:`, `after:`, `before:`, `OR` between operators, and quoted phrases. */
export function readOperators(query: string): ReadQuery {
  const read: ReadQuery = { words: '', sites: [], excluded_sites: [], phrases: [] };
  const words: string[] = [];
  for (const piece of query.match(/-?[a-z]+:"[^"]*"|"[^"]*"|\S+/gi) ?? []) {
    const bare = piece.replace(/^[(]+|[)]+$/g, '');
    if (!takeOperator(bare, read) && !joiners.has(bare)) words.push(bare.replaceAll('"', ''));
  }
  read.words = words.filter((word) => word !== '').join(' ');
  return read;
}

const joiners = new Set(['OR', 'AND', 'NOT', '|']);
const operator = /^(-?)(site|after|before):(.+)$/i;
const phrasePattern = /^"([^"]+)"$/;

function takeOperator(piece: string, read: ReadQuery): boolean {
  const phrase = phrasePattern.exec(piece)?.[1];
  // The words of a phrase still rank pages, so they also stay in the query.
  if (phrase !== undefined) read.phrases.push(phrase);
  const [, sign, name, value = ''] = operator.exec(piece) ?? [];
  switch (name?.toLowerCase() ?? '') {
    case 'site':
      (sign === '-' ? read.excluded_sites : read.sites).push(value.replaceAll('"', ''));
      return true;
    case 'after':
      read.after = value;
      return true;
    case 'before':
      read.before = value;
      return true;
    default:
      return false;
  }
}
