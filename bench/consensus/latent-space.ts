// Latent semantic indexing: texts compared in the space of the collection's strongest directions.
import { countTerms, rankScores } from './inverted-index.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { makeRandom } from './random.ts';

const usualDimensions = 100;
const rounds = 6;
const seed = 7;
/** A term that occurs in only one document does not relate it to any other. */
const minHolders = 2;

/** A sparse matrix, one row for each document: which terms, with which weights. */
interface Row {
  terms: Int32Array;
  weights: Float64Array;
}

/**
 * Subspace iteration, a truncated singular value decomposition without its last step: cosines in
 * the space of the first left singular vectors are the same for every basis of that space.
 */
export function makeLatentSpace(
  index: InvertedIndex,
  dimensions = usualDimensions,
): (question: string) => number[] {
  const terms = [...index.postings].filter(([, postings]) => postings.length >= minHolders);
  const numbers = new Map(terms.map(([term], at) => [term, at]));
  const rarities = terms.map(([, postings]) => Math.log(index.size / postings.length));
  const toRow = (counts: ReadonlyMap<string, number>): Row => {
    const known = [...counts].flatMap(([term, count]) => {
      const number = numbers.get(term);
      return number === undefined ? [] : [{ number, count }];
    });
    const weights = known.map(
      ({ number, count }) => (1 + Math.log(count)) * (rarities[number] ?? 0),
    );
    const norm = Math.hypot(...weights) || 1;
    return {
      terms: Int32Array.from(known.map(({ number }) => number)),
      weights: Float64Array.from(weights.map((weight) => weight / norm)),
    };
  };
  const rows = index.counts.map(toRow);
  const width = Math.min(dimensions, index.size, terms.length);
  const basis = findBasis(rows, terms.length, width);
  const places = rows.map((row) => normalised(project(row, basis, width)));
  return (question) => {
    const asked = normalised(project(toRow(countTerms(index.cut(question))), basis, width));
    const scores = Float64Array.from(places.map((place) => dot(place, asked)));
    return rankScores(scores);
  };
}

/** An orthonormal basis of the strongest directions, term by term, `width` numbers for each. */
function findBasis(rows: readonly Row[], termCount: number, width: number): Float64Array {
  const random = makeRandom(seed);
  let basis = Float64Array.from({ length: termCount * width }, () => random() - 0.5);
  orthonormalise(basis, width);
  for (let round = 0; round < rounds; round += 1) {
    const next = new Float64Array(termCount * width);
    for (const row of rows) {
      const place = project(row, basis, width);
      row.terms.forEach((term, at) => {
        const weight = row.weights[at] ?? 0;
        for (let column = 0; column < width; column += 1) {
          const cell = term * width + column;
          next[cell] = (next[cell] ?? 0) + weight * (place[column] ?? 0);
        }
      });
    }
    orthonormalise(next, width);
    basis = next;
  }
  return basis;
}

function project(row: Row, basis: Float64Array, width: number): Float64Array {
  const place = new Float64Array(width);
  row.terms.forEach((term, at) => {
    const weight = row.weights[at] ?? 0;
    for (let column = 0; column < width; column += 1) {
      place[column] = (place[column] ?? 0) + weight * (basis[term * width + column] ?? 0);
    }
  });
  return place;
}

/** Gram-Schmidt over the columns of a matrix that is stored row by row. */
function orthonormalise(matrix: Float64Array, width: number): void {
  const height = matrix.length / width;
  const columns = Array.from({ length: width }, (_, column) =>
    Float64Array.from({ length: height }, (_, row) => matrix[row * width + column] ?? 0),
  );
  columns.forEach((column, at) => {
    for (const earlier of columns.slice(0, at)) {
      const share = dot(column, earlier);
      for (let row = 0; row < height; row += 1) {
        column[row] = (column[row] ?? 0) - share * (earlier[row] ?? 0);
      }
    }
    const unit = normalised(column);
    column.set(unit);
    for (let row = 0; row < height; row += 1) matrix[row * width + at] = unit[row] ?? 0;
  });
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

function normalised(vector: Float64Array): Float64Array {
  const norm = Math.sqrt(dot(vector, vector));
  return norm < 1e-12 ? new Float64Array(vector.length) : vector.map((value) => value / norm);
}
