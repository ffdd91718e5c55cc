// Chooses the passages of a page that answer a query: BM25 over its paragraphs.

const k1 = 1.2;
const b = 0.75;
const maxParagraphs = 20_000;
const maxQueryTerms = 64;
const minParagraphLength = 40;

/** The best passages first, exactly as in the text. Empty if no word of the query occurs in it. */
export function choosePassages(text: string, query: string, count: number): string[] {
  const terms = [...new Set(wordsOf(query))].slice(0, maxQueryTerms);
  if (terms.length === 0) return [];
  const paragraphs = paragraphsOf(text);
  const counts = paragraphs.map((paragraph) => countTerms(paragraph, new Set(terms)));
  const average = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counts.length);
  const weights = terms.map((term) => {
    const having = counts.filter(({ found }) => found.has(term)).length;
    return Math.log(1 + (counts.length - having + 0.5) / (having + 0.5));
  });
  const scores = counts.map(({ found, length }) =>
    terms.reduce((sum, term, at) => {
      const times = found.get(term) ?? 0;
      const norm = times + k1 * (1 - b + (b * length) / Math.max(1, average));
      return sum + ((weights[at] ?? 0) * times * (k1 + 1)) / norm;
    }, 0),
  );
  return paragraphs
    .map((paragraph, at) => ({ paragraph, score: scores[at] ?? 0, at }))
    .filter(({ score }) => score > 0)
    .sort((one, two) => two.score - one.score || one.at - two.at)
    .slice(0, count)
    .map(({ paragraph }) => paragraph);
}

/** A heading belongs to the paragraph that follows it. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let before = '';
  for (const part of text.split(/\n[ \t]*\n/).slice(0, maxParagraphs)) {
    const paragraph = before === '' ? part.trim() : `${before}\n${part.trim()}`;
    if (paragraph.length < minParagraphLength) {
      before = paragraph;
      continue;
    }
    paragraphs.push(paragraph);
    before = '';
  }
  return before === '' ? paragraphs : [...paragraphs, before];
}

function countTerms(text: string, terms: ReadonlySet<string>) {
  const found = new Map<string, number>();
  let length = 0;
  for (const word of wordsOf(text)) {
    length += 1;
    if (terms.has(word)) found.set(word, (found.get(word) ?? 0) + 1);
  }
  return { found, length };
}

/** Scripts without spaces are compared by pairs of characters. */
function* wordsOf(text: string): Generator<string> {
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (!/[\u3040-\u9fff]/.test(word)) {
      yield word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word;
      continue;
    }
    for (let at = 0; at < word.length - 1; at += 1) yield word.slice(at, at + 2);
    if (word.length === 1) yield word;
  }
}
