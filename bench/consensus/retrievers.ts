// Retrievers with different methods: they act as the engines of a panel on a public collection.
import type { Document } from './judged-collection.ts';
import { buildIndex, countTerms, rankScores } from './inverted-index.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { makeLatentSpace } from './latent-space.ts';
import { characterGrams, stemmedWords, words } from './terms.ts';

/** All documents that match a question at all, the best first, by their position. */
type Retriever = (question: string) => number[];

/** The usual settings of the literature; none was tuned on any collection. */
const bm25Saturation = 1.2;
const bm25LengthShare = 0.75;
const dirichletMass = 1000;
const feedbackDocuments = 5;
const feedbackTerms = 20;
const feedbackWeight = 0.5;
/** MED has no titles: the first sentence of a text is used as the title. */
const maxTitleWords = 20;

export function makeRetrievers(documents: readonly Document[]): Map<string, Retriever> {
  const texts = documents.map(({ title, text }) => `${title} ${text}`);
  const plain = buildIndex(texts, words);
  const stemmed = buildIndex(texts, stemmedWords);
  const grams = buildIndex(texts, characterGrams);
  const titles = buildIndex(documents.map(titleOf), stemmedWords);
  return new Map<string, Retriever>([
    ['BM25', bm25(plain)],
    ['BM25, stemmed', bm25(stemmed)],
    ['TF-IDF cosine', tfIdfCosine(plain)],
    ['LSI', makeLatentSpace(stemmed)],
    ['character 4-grams', tfIdfCosine(grams)],
    ['title only', bm25(titles)],
    ['language model', queryLikelihood(stemmed)],
    ['BM25 with feedback', withFeedback(stemmed)],
  ]);
}

export function titleOf({ title, text }: Document): string {
  if (title !== '') return title;
  const [sentence = ''] = text.split(/(?<=\s?[.?!])\s/, 1);
  return sentence.split(/\s+/).slice(0, maxTitleWords).join(' ');
}

function bm25(index: InvertedIndex): Retriever {
  return (question) => rankScores(bm25Scores(index, countTerms(index.cut(question))));
}

function bm25Scores(index: InvertedIndex, weights: ReadonlyMap<string, number>): Float64Array {
  const scores = new Float64Array(index.size);
  for (const [term, weight] of weights) {
    const postings = index.postings.get(term) ?? [];
    const rarity = Math.log(1 + (index.size - postings.length + 0.5) / (postings.length + 0.5));
    for (const { document, count } of postings) {
      const length = (index.lengths[document] ?? 0) / index.meanLength;
      const damping = bm25Saturation * (1 - bm25LengthShare + bm25LengthShare * length);
      const gain = (count * (bm25Saturation + 1)) / (count + damping);
      scores[document] = (scores[document] ?? 0) + weight * rarity * gain;
    }
  }
  return scores;
}

/** BM25 with pseudo-relevance feedback: the top terms of the first results extend the query. */
function withFeedback(index: InvertedIndex): Retriever {
  return (question) => {
    const asked = countTerms(index.cut(question));
    const first = rankScores(bm25Scores(index, asked)).slice(0, feedbackDocuments);
    const termScores = new Map<string, number>();
    for (const document of first) {
      for (const [term, count] of index.counts[document] ?? []) {
        const rarity = Math.log(index.size / (index.postings.get(term)?.length ?? 1));
        const share = (count / (index.lengths[document] ?? 1)) * rarity;
        termScores.set(term, (termScores.get(term) ?? 0) + share);
      }
    }
    const strongest = [...termScores]
      .toSorted(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
      .slice(0, feedbackTerms);
    const most = strongest[0]?.[1] ?? 1;
    const weights = new Map(asked);
    for (const [term, share] of strongest) {
      weights.set(term, (weights.get(term) ?? 0) + (feedbackWeight * share) / most);
    }
    return rankScores(bm25Scores(index, weights));
  };
}

function tfIdfCosine(index: InvertedIndex): Retriever {
  const norms = index.counts.map((counts) => {
    let sum = 0;
    for (const [term, count] of counts) sum += tfIdf(index, term, count) ** 2;
    return Math.sqrt(sum);
  });
  return (question) => {
    const scores = new Float64Array(index.size);
    for (const [term, asked] of countTerms(index.cut(question))) {
      const weight = tfIdf(index, term, asked);
      for (const { document, count } of index.postings.get(term) ?? []) {
        const share = (weight * tfIdf(index, term, count)) / (norms[document] ?? 1);
        scores[document] = (scores[document] ?? 0) + share;
      }
    }
    return rankScores(scores);
  };
}

function tfIdf(index: InvertedIndex, term: string, count: number): number {
  const holders = index.postings.get(term)?.length ?? 0;
  return holders === 0 ? 0 : (1 + Math.log(count)) * Math.log(index.size / holders);
}

/** How likely a document's own words are to generate the question (Dirichlet smoothing). */
function queryLikelihood(index: InvertedIndex): Retriever {
  const frequency = new Map<string, number>();
  for (const [term, postings] of index.postings) {
    frequency.set(
      term,
      postings.reduce((sum, { count }) => sum + count, 0),
    );
  }
  return (question) => {
    const scores = new Float64Array(index.size).fill(Number.NaN);
    let asked = 0;
    for (const [term, weight] of countTerms(index.cut(question))) {
      const everywhere = (frequency.get(term) ?? 0) / index.totalLength;
      if (everywhere === 0) continue;
      asked += weight;
      for (const { document, count } of index.postings.get(term) ?? []) {
        const known = scores[document] ?? Number.NaN;
        const gain = weight * Math.log(1 + count / (dirichletMass * everywhere));
        scores[document] = (Number.isNaN(known) ? 0 : known) + gain;
      }
    }
    // A long document must contain more of the terms for the same likelihood.
    const found = scores.map((score, document) =>
      Number.isNaN(score)
        ? Number.NaN
        : score +
          asked * Math.log(dirichletMass / (dirichletMass + (index.lengths[document] ?? 0))),
    );
    return rankAnyScores(found);
  };
}

/** Likelihoods may be negative, so that only documents without a score are left out. */
function rankAnyScores(scores: Float64Array): number[] {
  const least = scores.reduce((low, score) => (score < low ? score : low), 0);
  return rankScores(scores.map((score) => (Number.isNaN(score) ? 0 : score - least + 1)));
}
