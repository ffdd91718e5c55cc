// The retrievers that act as engines: each finds its expected documents, and no two are alike.
import { expect, test } from 'bun:test';
import { knownPages, studyCollection } from './collection-study.ts';
import type { Collection, Document } from './judged-collection.ts';
import { buildIndex } from './inverted-index.ts';
import { makeLatentSpace } from './latent-space.ts';
import { stem } from './porter-stemmer.ts';
import { reportStudies } from './report.ts';
import { makeRetrievers, titleOf } from './retrievers.ts';
import { characterGrams, stemmedWords, words } from './terms.ts';

test("Porter's stemmer on his own examples", () => {
  const pairs =
    'caresses caress ponies poni ties ti cats cat agreed agre plastered plaster motoring motor ' +
    'conflated conflat hopping hop falling fall hissing hiss filing file happy happi sky sky ' +
    'relational relat conditional condit vietnamization vietnam generalizations gener ' +
    'triplicate triplic electrical electr revival reviv adjustment adjust adoption adopt ' +
    'probate probat rate rate cease ceas controlling control roll roll yes ye by by';
  const given = pairs.split(' ');
  for (let at = 0; at < given.length; at += 2) {
    expect(stem(given[at] ?? '')).toBe(given[at + 1] ?? '');
  }
});

test('texts are cut into words, stems and grams', () => {
  expect(words('The Wings of an aeroplane, 1958')).toEqual(['wings', 'aeroplane', '1958']);
  expect(stemmedWords('flying wings')).toEqual(['fly', 'wing']);
  expect(characterGrams('Wing, tip')).toEqual([
    ' win',
    'wing',
    'ing ',
    'ng t',
    'g ti',
    ' tip',
    'tip ',
  ]);
  expect(words('')).toEqual([]);
  expect(characterGrams('')).toEqual([]);
});

const documents: Document[] = [
  { id: '0', title: 'Wing design', text: 'the boundary layer of a flat plate' },
  { id: '1', title: 'Heat', text: 'heating of a flat plate in a boundary layer flow' },
  { id: '2', title: 'Libraries', text: 'catalogues and wings of a library building' },
  { id: '3', title: 'Cataloguing', text: 'a library and its catalogue of books' },
];

const found = (name: string, question: string) =>
  makeRetrievers(documents).get(name)?.(question) ?? [];

test('each retriever finds the documents of its own method', () => {
  expect(found('BM25', 'wing')).toEqual([0]);
  expect(found('BM25, stemmed', 'wing').toSorted()).toEqual([0, 2]);
  expect(found('title only', 'wings')).toEqual([0]);
  expect(found('TF-IDF cosine', 'catalogues')).toEqual([2]);
  expect(found('character 4-grams', 'catalog').toSorted()).toEqual([2, 3]);
  expect(found('language model', 'library catalogue').slice(0, 2).toSorted()).toEqual([2, 3]);
  // "heat" finds its document, whose words then find the other one about flat plates.
  expect(found('BM25 with feedback', 'heat').slice(0, 2)).toEqual([1, 0]);
  for (const name of makeRetrievers(documents).keys()) {
    if (name !== 'LSI') expect(found(name, 'boundary layer heat')[0]).toBe(1);
    expect(found(name, '')).toEqual([]);
    expect(found(name, 'zzz __proto__ constructor')).toEqual([]);
  }
});

test('LSI finds a document that shares no word with the question', () => {
  const texts = [
    'car engine road',
    'car engine wheel',
    'automobile engine road',
    'automobile wheel',
    'library book shelf',
    'library book catalogue',
    'catalogue shelf',
  ];
  const list = makeLatentSpace(buildIndex(texts, stemmedWords), 2)('car');
  expect(list.slice(0, 4).toSorted()).toEqual([0, 1, 2, 3]);
});

test('a document without a title uses its first sentence', () => {
  const text = 'free fatty acids . correlation coefficients have been determined .';
  expect(titleOf({ id: '1', title: '', text })).toBe('free fatty acids .');
  expect(titleOf({ id: '1', title: 'given', text })).toBe('given');
  expect(titleOf({ id: '1', title: '', text: 'word '.repeat(50) }).split(' ')).toHaveLength(20);
});

const collection: Collection = {
  name: 'tiny',
  documents: Array.from({ length: 400 }, (_, at) => ({
    id: `d${at}`,
    title: `title${at % 40}`,
    text: `word${at % 40} common${at % 7}`,
  })),
  questions: Array.from({ length: 8 }, (_, at) => ({
    id: `q${at}`,
    text: `title${at} word${at} common${at % 7}`,
    grades: new Map([[`d${at}`, 1]]),
  })),
  remarks: [],
};

test('pages are missing at random, and a larger share includes the smaller one', () => {
  const missing = (share: number, lot = 0, members = ['one', 'two']) =>
    knownPages(collection, members, share, lot).map((known) =>
      known.flatMap((each, at) => (each ? [] : [at])),
    );
  expect(missing(0)).toEqual([[], []]);
  const [one = [], two = []] = missing(0.25);
  for (const list of [one, two]) {
    expect(list.length).toBeGreaterThan(70);
    expect(list.length).toBeLessThan(130);
  }
  expect(missing(0.25)).toEqual([one, two]);
  expect(missing(0.25, 1)).not.toEqual([one, two]);
  const shared = one.filter((at) => two.includes(at)).length;
  expect(shared).toBeGreaterThan(5);
  expect(shared).toBeLessThan(50);
  expect(missing(0.5)[0]).toEqual(expect.arrayContaining(one));
  // The draw of a member does not depend on the other members.
  expect(missing(0.25, 0, ['two'])).toEqual([two]);
});

test('the report is Markdown, the same on every run, and judges the targets', () => {
  const report = reportStudies([studyCollection(collection)]).join('\n');
  expect(reportStudies([studyCollection(collection)]).join('\n')).toBe(report);
  expect(report).toContain('### tiny');
  expect(report).toContain('400 documents, 8 judged questions.');
  for (const way of ['counting first', '**2 + rank (fusion)**', 'Borda', 'LSI', 'title only']) {
    expect(report).toContain(`| ${way} | `);
  }
  expect(report).toMatch(/not below the best member afterwards: [+-]0\.\d{3} \[.*\], (met|MISSED)/);
  expect(report).not.toContain('NaN');
});
