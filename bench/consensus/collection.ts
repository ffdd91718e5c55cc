// Reads a judged public collection from a folder, in any of the usual file formats.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseBeirJudgements, parseJsonLines } from './beir-format.ts';
import type { Collection, Document, Judgement, Parsed, Question } from './judged-collection.ts';
import { parseSmartJudgements, parseSmartRecords } from './smart-format.ts';

/** The study keeps a whole collection in memory, so it refuses larger ones. */
const collectionLimits = {
  fileBytes: 64 * 1024 * 1024,
  documents: 20_000,
  questions: 2000,
};

const maxOddLines = 5;

/** The files of a collection, by their usual names. */
const smartNames = {
  documents: /(?:\.all|\.all\.1400)$/i,
  questions: /(?:\.qry|^query\.text)$/i,
  judgements: /(?:\.rel|^cranqrel|^qrels\.text)$/i,
};

export function loadCollection(folder: string): Collection {
  const path = resolve(folder);
  if (!existsSync(path) || !statSync(path).isDirectory()) {
    throw new Error(`${folder} is not a folder.`);
  }
  return existsSync(join(path, 'corpus.jsonl')) ? loadBeir(path) : loadSmart(path);
}

function loadSmart(path: string): Collection {
  const names = readdirSync(path).toSorted();
  const find = (pattern: RegExp, what: string): string => {
    const matching = names.filter((name) => pattern.test(name));
    const [name] = matching;
    if (name === undefined || matching.length > 1) {
      const found = name === undefined ? 'no file' : matching.join(' and ');
      throw new Error(
        `${path} has ${found} of ${what}. Expected one each of *.ALL, *.QRY and *.REL ` +
          '(or cran.all.1400, query.text, cranqrel, qrels.text), or corpus.jsonl of BEIR.',
      );
    }
    return name;
  };
  const documents = find(smartNames.documents, 'documents');
  const questions = find(smartNames.questions, 'questions');
  const judgements = find(smartNames.judgements, 'judgements');
  return assemble(
    path,
    { name: documents, ...parseSmartRecords(readText(path, documents)) },
    { name: questions, ...parseSmartRecords(readText(path, questions)) },
    { name: judgements, ...parseSmartJudgements(readText(path, judgements)) },
  );
}

function loadBeir(path: string): Collection {
  const judgements = ['qrels/test.tsv', 'qrels/dev.tsv', 'qrels/train.tsv', 'qrels.tsv'].find(
    (name) => existsSync(join(path, name)),
  );
  if (judgements === undefined) throw new Error(`${path} has no qrels/test.tsv.`);
  return assemble(
    path,
    { name: 'corpus.jsonl', ...parseJsonLines(readText(path, 'corpus.jsonl')) },
    { name: 'queries.jsonl', ...parseJsonLines(readText(path, 'queries.jsonl')) },
    { name: judgements, ...parseBeirJudgements(readText(path, judgements)) },
  );
}

function readText(path: string, name: string): string {
  const file = join(path, name);
  if (!existsSync(file)) throw new Error(`${path} has no ${name}.`);
  const { size } = statSync(file);
  if (size > collectionLimits.fileBytes) {
    throw new Error(`${file} has ${size} bytes, at most ${collectionLimits.fileBytes} are read.`);
  }
  return readFileSync(file, 'utf8');
}

interface Named<Entry> extends Parsed<Entry> {
  name: string;
}

/** Joins the three files; what does not fit together is left out and counted. */
function assemble(
  path: string,
  documentFile: Named<Document>,
  questionFile: Named<Document>,
  judgementFile: Named<Judgement>,
): Collection {
  const documents = uniqueById(documentFile.entries);
  const asked = uniqueById(questionFile.entries);
  const ordinal = numbersQuestionsByPosition(asked, judgementFile.entries);
  const questions = new Map<string, Question>();
  asked.forEach(({ id, title, text }, index) => {
    const name = ordinal ? String(index + 1) : id;
    questions.set(name, { id: name, text: `${title} ${text}`.trim(), grades: new Map() });
  });
  const known = new Set(documents.map(({ id }) => id));
  let unmatched = 0;
  for (const { question, document, grade } of judgementFile.entries) {
    const target = questions.get(question);
    if (!target || !known.has(document)) unmatched += 1;
    else if (grade > 0) {
      target.grades.set(document, Math.max(grade, target.grades.get(document) ?? 0));
    }
  }
  const judged = [...questions.values()].filter(({ grades }) => grades.size > 0);
  checkSizes(path, documents.length, judged.length);
  const repeats =
    documentFile.entries.length - documents.length + questionFile.entries.length - asked.length;
  const remarks = [documentFile, questionFile, judgementFile].flatMap(describeOddLines);
  if (repeats > 0) remarks.push(`${repeats} repeated ids: the first of each is used.`);
  if (unmatched > 0) remarks.push(`${unmatched} judgements name an unknown document or question.`);
  if (judged.length < asked.length) {
    remarks.push(`${asked.length - judged.length} questions have no relevant document.`);
  }
  return { name: basename(path), documents, questions: judged, remarks };
}

function uniqueById<Entry extends { id: string }>(entries: readonly Entry[]): Entry[] {
  const seen = new Map<string, Entry>();
  for (const entry of entries) if (!seen.has(entry.id)) seen.set(entry.id, entry);
  return [...seen.values()];
}

/** Cranfield's judgements count the questions from 1, while the questions carry other numbers. */
function numbersQuestionsByPosition(
  questions: readonly { id: string }[],
  judgements: readonly Judgement[],
): boolean {
  const ids = new Set(questions.map(({ id }) => id));
  const named = [...new Set(judgements.map(({ question }) => question))];
  const isPosition = (name: string) => /^[1-9]\d*$/.test(name) && Number(name) <= questions.length;
  return named.some((name) => !ids.has(name)) && named.every(isPosition);
}

function checkSizes(path: string, documents: number, questions: number): void {
  if (documents === 0 || questions === 0) {
    throw new Error(`${path} has ${documents} documents and ${questions} judged questions.`);
  }
  if (documents > collectionLimits.documents || questions > collectionLimits.questions) {
    throw new Error(
      `${path} has ${documents} documents and ${questions} judged questions; at most ` +
        `${collectionLimits.documents} and ${collectionLimits.questions} are studied.`,
    );
  }
}

function describeOddLines({ name, oddLines }: Named<unknown>): string[] {
  if (oddLines.length === 0) return [];
  const shown = oddLines.slice(0, maxOddLines).join(', ');
  const more = oddLines.length > maxOddLines ? ', …' : '';
  return [`${name}: ${oddLines.length} lines could not be read (${shown}${more}).`];
}
