// Search operators inside a query, for the vendors whose wire has no fields for what they express.

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
    if (!takeOperator(bare, read) && !JOINERS.has(bare)) words.push(bare.replaceAll('"', ''));
  }
  read.words = words.filter((word) => word !== '').join(' ');
  return read;
}

const JOINERS = new Set(['OR', 'AND', 'NOT', '|']);
const OPERATOR = /^(-?)(site|after|before):(.+)$/i;
const PHRASE = /^"([^"]+)"$/;

function takeOperator(piece: string, read: ReadQuery): boolean {
  const phrase = PHRASE.exec(piece)?.[1];
  // The words of a phrase still rank pages, so they also stay in the query.
  if (phrase !== undefined) read.phrases.push(phrase);
  const [, sign, name, value = ''] = OPERATOR.exec(piece) ?? [];
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
