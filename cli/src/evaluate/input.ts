// The files of an evaluation: queries in JSON lines, and judgements in columns. Every error in them
// is reported before anything is spent.
import { readFile, stat } from 'node:fs/promises';
import { addKnownFields, issuesOf, SearchRequest } from '@trivium/contract';
import { pageKey } from '@trivium/shared/page-key';
import type { Grades } from '@trivium/shared/ranking-metrics';
import { UsageError } from '../command.ts';
import { plain } from '../style.ts';

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

/** Reads a whole file; anything else, such as an endless device, is refused. */
export async function readInput(path: string, maxBytes: number): Promise<string> {
  const failed = (error: NodeJS.ErrnoException) => {
    throw new UsageError(`${plain(path)} cannot be read: ${error.code ?? error.message}.`);
  };
  const found = await stat(path).catch(failed);
  if (!found.isFile()) throw new UsageError(`${plain(path)} is not a file.`);
  if (found.size > maxBytes) {
    const [size, most] = [found.size, maxBytes].map((bytes) => Math.ceil(bytes / 1024 / 1024));
    throw new UsageError(`${plain(path)} has ${size} MiB; an evaluation reads at most ${most}.`);
  }
  return (await readFile(path, 'utf8').catch(failed)).replace(/^\uFEFF/, '');
}

/**
 * One JSON object per line: `query`, and optionally `id` and the parameters of a search. The names
 * of the BEIR collections, `text` and `_id`, are accepted too, and a line may be just a text.
 */
export function readQueries(text: string, file: string): EvaluatedQuery[] {
  const queries = new Map<string, EvaluatedQuery>();
  forEachLine(text, (line, number) => {
    const place = `Line ${number} of ${plain(file)}`;
    if (queries.size === inputLimits.queries) {
      const most = inputLimits.queries.toLocaleString('en');
      throw new UsageError(`${plain(file)} has more than ${most} queries, the maximum for a run.`);
    }
    const query = readQuery(line, number, place);
    if (queries.has(query.id)) {
      throw new UsageError(`${place} repeats the id ${shown(query.id)}.`);
    }
    queries.set(query.id, query);
  });
  if (queries.size === 0) throw new UsageError(`${plain(file)} has no queries.`);
  return [...queries.values()];
}

/** Fields that the evaluation itself sets. */
const ownFields = new Set(['provider', 'provider_options', 'max_results', 'offset', 'strict']);
/** Fields that collections have beside the query. */
const ignoredFields = new Set(['id', '_id', 'text', 'query', 'metadata', 'title']);

function readQuery(line: string, number: number, place: string): EvaluatedQuery {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UsageError(`${place} is not JSON. Expected {"id": "q1", "query": "solar energy"}.`);
  }
  const fields = typeof value === 'string' ? { query: value } : value;
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new UsageError(
      `${place} is not an object such as {"id": "q1", "query": "solar energy"}.`,
    );
  }
  const given = new Map(Object.entries(fields));
  const text: unknown = given.get('query') ?? given.get('text');
  const id: unknown = given.get('id') ?? given.get('_id') ?? String(number);
  if (typeof text !== 'string' || text.trim() === '') {
    throw new UsageError(`${place} has no query.`);
  }
  if (!isId(id)) {
    const most = inputLimits.idChars;
    throw new UsageError(`${place} has an id that is not a string of 1 to ${most} characters.`);
  }
  const parameters = Object.fromEntries([...given].filter(([name]) => !ignoredFields.has(name)));
  const own = Object.keys(parameters).find((name) => ownFields.has(name));
  if (own !== undefined) {
    throw new UsageError(`${place} sets ${own}, which is the same for the whole evaluation.`);
  }
  const { error } = SearchRequest.safeParse({ query: text, ...parameters }, addKnownFields);
  const [issue] = error ? issuesOf(error) : [];
  if (issue) throw new UsageError(`${place}: ${plain(`${issue.path}: ${issue.message}`)}`);
  return { id: String(id), text, parameters };
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
      throw new UsageError(
        `${plain(file)} has more than ${most} judgements, the maximum for a run.`,
      );
    }
    const judged = readJudgement(line);
    if (judged === undefined) {
      throw new UsageError(
        `Line ${number} of ${plain(file)} is not a query id, a page and a whole grade ` +
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
    throw new UsageError(
      `None of the ${lines} judgements of ${plain(file)} is about a query of this evaluation: ` +
        `the file has different ids. The first query has the id ${shown(queries[0]?.id ?? '')}.`,
    );
  }
  for (const [query, grades] of judgements) {
    if (![...grades.values()].some((grade) => grade > 0)) judgements.delete(query);
  }
  if (judgements.size === 0) {
    throw new UsageError(`${plain(file)} judges no page of these queries relevant.`);
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
  return JSON.stringify(plain(id.slice(0, 60)));
}
