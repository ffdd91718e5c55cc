// The format of the BEIR collections: one JSON object a line, and judgements in columns.
import type { Document, Judgement, Parsed } from './judged-collection.ts';

const maxGrade = 10;

/** Reads `corpus.jsonl` or `queries.jsonl`: `_id`, `text` and, with documents, `title`. */
export function parseJsonLines(file: string): Parsed<Document> {
  const entries: Document[] = [];
  const oddLines: number[] = [];
  file.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '') return;
    const entry = readEntry(line);
    if (entry) entries.push(entry);
    else oddLines.push(index + 1);
  });
  return { entries, oddLines };
}

function readEntry(line: string): Document | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { _id: id, title = '', text } = value as Record<string, unknown>;
  if (typeof id !== 'string' || id === '' || typeof text !== 'string') return undefined;
  return { id, title: typeof title === 'string' ? title : '', text };
}

/** Reads `query-id`, `corpus-id`, `score`, separated by tabs, with or without that header. */
export function parseBeirJudgements(file: string): Parsed<Judgement> {
  const entries: Judgement[] = [];
  const oddLines: number[] = [];
  file.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '' || (index === 0 && line.startsWith('query-id'))) return;
    const [question = '', document = '', score = '', ...more] = line.split('\t');
    const grade = Number(score);
    const wellFormed = /^-?\d+$/.test(score.trim()) && grade <= maxGrade && more.length === 0;
    if (question === '' || document === '' || !wellFormed) oddLines.push(index + 1);
    else entries.push({ question, document, grade: Math.max(0, grade) });
  });
  return { entries, oddLines };
}
