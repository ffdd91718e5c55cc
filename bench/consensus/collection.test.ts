// The loaders: the formats they read, the lines they skip and count, and the inputs they refuse.
import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadCollection } from './collection.ts';

const home = mkdtempSync(join(tmpdir(), 'trivium-collections-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let made = 0;
function folder(files: Record<string, string>): string {
  made += 1;
  const path = join(home, `collection${made}`);
  mkdirSync(path);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

const gradesOf = (path: string) =>
  loadCollection(path).questions.map(({ id, grades }) => [id, Object.fromEntries(grades)]);

const documents = [
  '.X',
  '.I 1',
  '.T',
  'a title of',
  'two lines',
  '.A ',
  'Perlis, A. J.',
  '.B',
  'CACM December, 1958',
  '.W',
  'some text .',
  '.5 of it begins with a point',
  '.X',
  '100\t5\t1',
  '.I 2',
  '.W',
  'no title here',
  '.I 1',
  '.T',
  'a repeated number',
];

test('SMART records: titles, authors and text are read, dates and references are not', () => {
  const path = folder({
    'CISI.ALL': documents.join('\r\n').replace('.X\r\n.I 1', 'stray\r\n.I 1'),
    'CISI.QRY': '.I 1\n.W\nfirst\nquestion\n.I 2\n.W\nsecond\n.I 3\n.W\nnever judged\n',
    'CISI.REL': '  1  1\t0\t0.000000\n  1  2\t0\t0.000000\n  2  2\t0\t0\n 2 77 0 0\nodd\n\n',
  });
  const { documents: read, questions, remarks } = loadCollection(path);
  expect(read).toEqual([
    {
      id: '1',
      title: 'a title of two lines',
      text: 'Perlis, A. J. some text . .5 of it begins with a point',
    },
    { id: '2', title: '', text: 'no title here' },
  ]);
  expect(questions.map(({ text }) => text)).toEqual(['first question', 'second']);
  expect(gradesOf(path)).toEqual([
    ['1', { 1: 1, 2: 1 }],
    ['2', { 2: 1 }],
  ]);
  expect(remarks).toEqual([
    'CISI.ALL: 1 lines could not be read (1).',
    'CISI.REL: 1 lines could not be read (5).',
    '1 repeated ids: the first of each is used.',
    '1 judgements name an unknown document or question.',
    '1 questions have no relevant document.',
  ]);
});

test('Cranfield: judgements count the questions by position, and -1 is not relevant', () => {
  const path = folder({
    'cran.all.1400': '.I 1\n.T\none\n.I 2\n.T\ntwo\n.I 3\n.T\nthree\n',
    'cran.qry': '.I 001\n.W\nfirst\n.I 002\n.W\nsecond\n.I 004\n.W\nthird\n',
    cranqrel: '1 1 2 \n2 2 -1\n2 3 4\n3 3 1\n3 1 5\n',
  });
  expect(gradesOf(path)).toEqual([
    ['1', { 1: 1 }],
    ['2', { 3: 1 }],
    ['3', { 3: 1 }],
  ]);
  expect(loadCollection(path).questions[2]?.text).toBe('third');
});

test('CACM: questions 01 and 1 are the same', () => {
  const path = folder({
    'cacm.all': '.I 1\n.T\none\n',
    'query.text': '.I 1\n.W\nfirst\n.N\n a note\n',
    'qrels.text': '01 0001  0 0\n',
  });
  expect(gradesOf(path)).toEqual([['1', { 1: 1 }]]);
  expect(loadCollection(path).questions[0]?.text).toBe('first');
});

test('BEIR: grades are kept, odd lines are counted, and no id is special', () => {
  const corpus = [
    { _id: '__proto__', title: 'T', text: 'one' },
    { _id: 'constructor', text: 'two', metadata: {} },
    { _id: 5, text: 'a number is no id' },
    { _id: 'c', title: null, text: 'three' },
  ];
  const path = folder({
    'corpus.jsonl': `${corpus.map((entry) => JSON.stringify(entry)).join('\n')}\n{"_id":\n[]\n`,
    'queries.jsonl': '{"_id":"q1","text":"first"}\n{"_id":"toString","text":"second"}\n',
    'qrels/test.tsv':
      'query-id\tcorpus-id\tscore\nq1\t__proto__\t2\nq1\tconstructor\t0\nq1\tc\t-1\n' +
      'toString\tconstructor\t1\ntoString\tc\t1e308\ntoString\tc\nq1 c 1\n',
  });
  const { documents: read, questions, remarks } = loadCollection(path);
  expect(read.map(({ id, title }) => [id, title])).toEqual([
    ['__proto__', 'T'],
    ['constructor', ''],
    ['c', ''],
  ]);
  expect(questions.map(({ id, grades }) => [id, [...grades]])).toEqual([
    ['q1', [['__proto__', 2]]],
    ['toString', [['constructor', 1]]],
  ]);
  expect(remarks).toEqual([
    'corpus.jsonl: 3 lines could not be read (3, 5, 6).',
    'qrels/test.tsv: 3 lines could not be read (6, 7, 8).',
  ]);
});

test('a folder without a complete collection is refused with a readable error', () => {
  expect(() => loadCollection(join(home, 'nowhere'))).toThrow('is not a folder');
  expect(() => loadCollection(folder({}))).toThrow('has no file of documents');
  const twice = { 'a.all': '', 'b.all': '', 'a.qry': '', 'a.rel': '' };
  expect(() => loadCollection(folder(twice))).toThrow('a.all and b.all of documents');
  const unjudged = { 'a.all': '.I 1\n.T\none\n', 'a.qry': '.I 1\n.W\nq\n', 'a.rel': '' };
  expect(() => loadCollection(folder(unjudged))).toThrow('1 documents and 0 judged questions');
  const line = '{"_id":"a","text":"t"}\n';
  expect(() => loadCollection(folder({ 'corpus.jsonl': line }))).toThrow('no qrels/test.tsv');
  const noQueries = { 'corpus.jsonl': line, 'qrels/test.tsv': '' };
  expect(() => loadCollection(folder(noQueries))).toThrow('no queries.jsonl');
});

test('more documents than the study can hold are refused', () => {
  const many = Array.from({ length: 20_001 }, (_, at) => `{"_id":"d${at}","text":"t"}`).join('\n');
  const path = folder({
    'corpus.jsonl': many,
    'queries.jsonl': '{"_id":"q","text":"t"}',
    'qrels/test.tsv': 'q\td1\t1',
  });
  expect(() => loadCollection(path)).toThrow(
    '20001 documents and 1 judged questions; at most 20000',
  );
});
