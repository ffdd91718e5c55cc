// The files of an evaluation: what is accepted, and the error for anything else.
import { describe, expect, test } from 'bun:test';
import { InputError, checkSize, inputLimits, readJudgements, readQueries } from './input.ts';

const query = (id: string) => ({ id, text: 'solar', parameters: {} });

describe('queries', () => {
  test('are objects with or without an id and parameters, the lines of BEIR, or texts', () => {
    const lines = [
      '{"id": "a", "query": "solar", "category": "news", "locale": {"language": "de"}}',
      '',
      '{"_id": "b", "text": "wind", "metadata": {"x": 1}}\r',
      '"heat pumps"',
      '{"query": "tides", "id": 70}',
      'tidal "power" <b>',
      '"exact words" of a text',
      '2026',
    ];
    expect(readQueries(lines.join('\n'), 'q.jsonl')).toEqual([
      { id: 'a', text: 'solar', parameters: { category: 'news', locale: { language: 'de' } } },
      { id: 'b', text: 'wind', parameters: {} },
      { id: '4', text: 'heat pumps', parameters: {} },
      { id: '70', text: 'tides', parameters: {} },
      { id: '6', text: 'tidal "power" <b>', parameters: {} },
      { id: '7', text: '"exact words" of a text', parameters: {} },
      { id: '8', text: '2026', parameters: {} },
    ]);
  });

  test.each([
    ['', 'has no queries'],
    ['\n \n', 'has no queries'],
    ['{"query": "solar"', 'Line 1 of q.jsonl is not JSON'],
    ['{"query": "solar"}\nnull', 'Line 2 of q.jsonl is not an object'],
    ['[]', 'is not an object'],
    ['{"id": "a"}', 'has no query'],
    ['{"query": ""}', 'has no query'],
    ['{"query": 5}', 'has no query'],
    ['{"query": "x", "id": ""}', 'has an id that is not'],
    ['{"query": "x", "id": {}}', 'has an id that is not'],
    [`{"query": "x", "id": "${'a'.repeat(201)}"}`, 'has an id that is not'],
    ['{"id": 1, "query": "x"}\n{"id": "1", "query": "y"}', 'Line 2 of q.jsonl repeats the id "1"'],
    ['{"query": "x", "provider": "auto"}', 'sets provider'],
    ['{"query": "x", "max_results": 3}', 'sets max_results'],
    ['tides\n\u0000\u0001', 'Line 2 of q.jsonl is neither a line of text nor JSON'],
    ['\ufffdPNG', 'is neither a line of text'],
    ['q1\tsolar energy', 'is neither a line of text'],
  ])('%j is refused with a sentence', (text, sentence) => {
    expect(() => readQueries(text, 'q.jsonl')).toThrow(InputError);
    expect(() => readQueries(text, 'q.jsonl')).toThrow(sentence);
  });

  test('are checked as searches, with the place of a fault', () => {
    const check = (search: object) => ('locale' in search ? 'locale: no' : undefined);
    const text = '{"query": "x", "locale": {}}';
    expect(() => readQueries(`y\n${text}`, 'q.jsonl', check)).toThrow(
      'Line 2 of q.jsonl: locale: no',
    );
  });

  test('have a maximum number and size', () => {
    expect(() => checkSize('q.jsonl', 2049, 1024)).toThrow('an evaluation reads at most 1');
    const lines = Array.from({ length: inputLimits.queries + 1 }, (_, at) => `"query ${at}"`);
    expect(readQueries(lines.slice(1).join('\n'), 'q.jsonl')).toHaveLength(inputLimits.queries);
    expect(() => readQueries(lines.join('\n'), 'q.jsonl')).toThrow('more than 5,000 queries');
  });
});

describe('judgements', () => {
  const read = (text: string) => readJudgements(text, 'qrels.tsv', [query('a'), query('b')]);

  test('are columns with tabs or of trec_eval, and name pages in any spelling', () => {
    const { judgements, notes } = read(
      'query-id\tcorpus-id\tscore\na\thttps://www.example.org/x/\t2\na\thttp://example.org/x?utm_source=y\t1\r\n' +
        'b 0 res_0123456789abcdef 1\na\thttps://example.org/z\t-1\nother\thttps://example.org/\t1\n',
    );
    expect([...(judgements.get('a') ?? [])]).toEqual([
      ['example.org/x', 2],
      ['example.org/z', -1],
    ]);
    expect([...(judgements.get('b') ?? [])]).toEqual([['res_0123456789abcdef', 1]]);
    expect(notes).toEqual(['1 judgements are about other queries and are not used.']);
  });

  test('of queries without a relevant page are left out, with a note', () => {
    const { judgements, notes } = read('a\thttps://example.org/\t1\nb\thttps://example.org/\t0\n');
    expect([...judgements.keys()]).toEqual(['a']);
    expect(notes[0]).toStartWith('1 queries have no page');
  });

  test.each([
    ['', 'None of the 0 judgements'],
    ['x\thttps://example.org/\t1', 'the file has different ids. The first query has the id "a"'],
    ['a\thttps://example.org/\t0', 'judges no page of these queries relevant'],
    ['a\thttps://example.org/', 'Line 1 of qrels.tsv'],
    ['a\thttps://example.org/\thigh', 'Line 1 of qrels.tsv'],
    ['a\thttps://example.org/\t1.5', 'Line 1 of qrels.tsv'],
    ['a\thttps://example.org/\t1e308', 'Line 1 of qrels.tsv'],
    ['a\tb\tc\td\te', 'Line 1 of qrels.tsv'],
    ['{"query": "x"}', 'Line 1 of qrels.tsv'],
  ])('%j is refused with a sentence', (text, sentence) => {
    expect(() => read(text)).toThrow(InputError);
    expect(() => read(text)).toThrow(sentence);
  });
});
