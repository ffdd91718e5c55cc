// A simple substitute for semantic similarity: how close a query is to a page's subject when they
// share no words.
import type { Page, Topic } from './corpus/page.ts';
import { splitWords, termsOf } from './terms.ts';

/** From 0 (nothing in common) to 1; each query term counts with its closest word on the page. */
export function similarity(query: string, page: Page): number {
  const terms = termsOf(query);
  if (terms.length === 0) return 0;
  const subject = subjectOf(page);
  let sum = 0;
  for (const term of terms) {
    const gramsOfTerm = gramsOf(term);
    sum += Math.max(...subject.map((grams) => overlap(gramsOfTerm, grams)));
  }
  return sum / terms.length;
}

const kinTopics: Record<Topic, string> = {
  energy: 'power electricity grid renewable photovoltaic panel turbine wind heat nuclear utility',
  storage: 'battery lithium accumulator charge capacity reserve backup reservoir hydrogen',
  water: 'river drinking desalination irrigation drought sewage rain aquifer tap well',
  climate: 'weather warming carbon emission temperature flood storm atmosphere greenhouse',
  agriculture: 'farm crop soil harvest food livestock seed fertiliser garden grower',
  health: 'medicine hospital doctor patient disease vaccine clinic sleep nutrition therapy',
  software: 'computer program code database api developer cloud security internet model',
  transport: 'car train bus bicycle truck rail road aviation vehicle traffic shipping',
  finance: 'money bank invest market bond inflation loan insurance price budget',
  space: 'satellite rocket orbit moon mars telescope astronomy planet launch astronaut',
  cities: 'urban town street housing building planning park neighbourhood mayor architecture',
  oceans: 'sea marine fish coral coast wave tide ship whale plastic',
};

const gramLength = 3;
const subjects = new Map<string, Set<string>[]>();

function subjectOf(page: Page): Set<string>[] {
  const known = subjects.get(page.url);
  if (known !== undefined) return known;
  const kin = page.topics.flatMap((topic) => [topic, ...kinTopics[topic].split(' ')]);
  const subject = [...splitWords(page.title), ...kin].map((word) => gramsOf(word.toLowerCase()));
  subjects.set(page.url, subject);
  return subject;
}

function gramsOf(word: string): Set<string> {
  const padded = `^${word}$`;
  const grams = new Set<string>();
  for (let start = 0; start + gramLength <= padded.length; start += 1) {
    grams.add(padded.slice(start, start + gramLength));
  }
  return grams;
}

function overlap(one: Set<string>, other: Set<string>): number {
  let common = 0;
  for (const gram of one) if (other.has(gram)) common += 1;
  return (2 * common) / Math.max(1, one.size + other.size);
}
