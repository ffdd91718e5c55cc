// The files of an evaluation: queries in lines, and judgements in columns. Every error in them is
// reported before anything is spent.
import { pageKey } from '@trivium/shared/page-key';
import type { Grades } from '@trivium/shared/ranking-metrics';

/** What is wrong with the queries or the judgements, in a sentence. */
export class InputError extends Error {}

export const inputLimits = {
  queries: 5000,
  queriesBytes: 16 * 1024 * 1024,
  judgements: 1_000_000,
  judgementsBytes: 64 * 1024 * 1024,
  idChars: 200,
};

export interface EvaluatedQuery {
  id: string;
  text: string;
  /** Parameters beside the query, such as the category. They are the same for every engine. */
  parameters: Readonly<Record<string, unknown>>;
}

/** The grades of pages by query id; a page is identified by its key, or by the id of a result. */
export type Judgements = ReadonlyMap<string, Grades>;

export function checkSize(file: string, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const [size, most] = [bytes, maxBytes].map((one) => Math.ceil(one / 1024 / 1024));
  throw new InputError(`${file} has ${size} MiB; an evaluation reads at most ${most}.`);
}

/**
 * One query per line: its text, or a JSON object with `query`, and optionally `id` and the parameters
 * of a search. The names of the BEIR collections, `text` and `_id`, are accepted too. `check` returns
 * what is wrong with a search.
 */
export function readQueries(
  text: string,
  file: string,
  check: (search: object) => string | undefined = () => undefined,
): EvaluatedQuery[] {
  const queries = new Map<string, EvaluatedQuery>();
  forEachLine(text, (line, number) => {
    const place = `Line ${number} of ${file}`;
    if (queries.size === inputLimits.queries) {
      const most = inputLimits.queries.toLocaleString('en');
      throw new InputError(`${file} has more than ${most} queries, the maximum for a run.`);
    }
    const query = readQuery(line, number, place);
    const fault = check({ query: query.text, ...query.parameters });
    if (fault !== undefined) throw new InputError(`${place}: ${fault}`);
    if (queries.has(query.id)) {
      throw new InputError(`${place} repeats the id ${shown(query.id)}.`);
    }
    queries.set(query.id, query);
  });
  if (queries.size === 0) throw new InputError(`${file} has no queries.`);
  return [...queries.values()];
}

/** Fields that the evaluation itself sets. */
const ownFields = new Set(['provider', 'provider_options', 'max_results', 'offset', 'strict']);
/** Fields that collections have beside the query. */
const ignoredFields = new Set(['id', '_id', 'text', 'query', 'metadata', 'title']);

function readQuery(line: string, number: number, place: string): EvaluatedQuery {
  const value = readLine(line, place);
  const fields = typeof value === 'string' ? { query: value } : value;
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new InputError(
      `${place} is not an object such as {"id": "q1", "query": "solar energy"}.`,
    );
  }
  const given = new Map(Object.entries(fields));
  const text: unknown = given.get('query') ?? given.get('text');
  const id: unknown = given.get('id') ?? given.get('_id') ?? String(number);
  if (typeof text !== 'string' || text.trim() === '') {
    throw new InputError(`${place} has no query.`);
  }
  if (!isId(id)) {
    const most = inputLimits.idChars;
    throw new InputError(`${place} has an id that is not a string of 1 to ${most} characters.`);
  }
  const parameters = Object.fromEntries([...given].filter(([name]) => !ignoredFields.has(name)));
  const own = Object.keys(parameters).find((name) => ownFields.has(name));
  if (own !== undefined) {
    throw new InputError(`${place} sets ${own}, which is the same for the whole evaluation.`);
  }
  return { id: String(id), text, parameters };
}

/** Of files that are not text, or that have columns. */
const controls = /[\0-\x1f\x7f\ufffd]/;

function readLine(line: string, place: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' || typeof value === 'string') return value;
  } catch {
    if (/^[{[]/.test(line)) {
      throw new InputError(`${place} is not JSON. Expected {"id": "q1", "query": "solar energy"}.`);
    }
  }
  if (controls.test(line)) throw new InputError(`${place} is neither a line of text nor JSON.`);
  return line;
}

function isId(id: unknown): boolean {
  if (typeof id === 'number') return Number.isFinite(id);
  return typeof id === 'string' && id !== '' && id.length <= inputLimits.idChars;
}

/**
 * Columns separated by tabs, or by spaces as in trec_eval: the query, the page and its grade, with
 * or without a header, and with or without the unused second column of trec_eval.
 */
export function readJudgements(
  text: string,
  file: string,
  queries: readonly EvaluatedQuery[],
): { judgements: Judgements; notes: string[] } {
  const known = new Set(queries.map(({ id }) => id));
  const judgements = new Map<string, Map<string, number>>();
  let others = 0;
  let lines = 0;
  forEachLine(text, (line, number) => {
    if (number === 1 && /^query-?_?id\b/i.test(line)) return;
    lines += 1;
    if (lines > inputLimits.judgements) {
      const most = inputLimits.judgements.toLocaleString('en');
      throw new InputError(`${file} has more than ${most} judgements, the maximum for a run.`);
    }
    const judged = readJudgement(line);
    if (judged === undefined) {
      throw new InputError(
        `Line ${number} of ${file} is not a query id, a page and a whole grade ` +
          'in columns, such as q1, a tab, https://example.org/, a tab, 2.',
      );
    }
    const { query, page, grade } = judged;
    if (!known.has(query)) {
      others += 1;
      return;
    }
    const grades = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, grades);
    grades.set(page, Math.max(grade, grades.get(page) ?? grade));
  });
  if (judgements.size === 0) {
    throw new InputError(
      `None of the ${lines} judgements of ${file} is about a query of this evaluation: ` +
        `the file has different ids. The first query has the id ${shown(queries[0]?.id ?? '')}.`,
    );
  }
  for (const [query, grades] of judgements) {
    if (![...grades.values()].some((grade) => grade > 0)) judgements.delete(query);
  }
  if (judgements.size === 0) {
    throw new InputError(`${file} judges no page of these queries relevant.`);
  }
  const without = queries.length - judgements.size;
  return {
    judgements,
    notes: [
      ...(others > 0 ? [`${others} judgements are about other queries and are not used.`] : []),
      ...(without > 0
        ? [`${without} queries have no page that is judged relevant. The metrics leave them out.`]
        : []),
    ],
  };
}

function readJudgement(line: string): { query: string; page: string; grade: number } | undefined {
  const columns = line.includes('\t') ? line.split('\t') : line.trim().split(/ +/);
  const [query = '', ...rest] = columns.map((column) => column.trim());
  const [page = '', grade = ''] = rest.length === 3 ? rest.slice(1) : rest;
  if (query === '' || page === '' || rest.length < 2 || rest.length > 3) return undefined;
  if (!/^-?\d{1,3}$/.test(grade)) return undefined;
  return { query, page: judgedPage(page), grade: Number(grade) };
}

/** A judged page is given by its address, in any spelling, or by the id of its results. */
export function judgedPage(named: string): string {
  return /^res_[\da-f]{16}$/.test(named) ? named : pageKey(named);
}

function forEachLine(text: string, read: (line: string, number: number) => void): void {
  let number = 0;
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    from = end < 0 ? text.length : end + 1;
    number += 1;
    if (line !== '') read(line, number);
  }
}

function shown(id: string): string {
  return JSON.stringify(id.slice(0, 60));
}
