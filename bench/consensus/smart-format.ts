// The format of the SMART collections (Cranfield, CACM, CISI, MED): records of dotted sections.
import type { Document, Judgement, Parsed } from './judged-collection.ts';

const recordStart = /^\.I\s+(\S+)\s*$/;
const sectionStart = /^\.([A-Z])\s*$/;
/** Authors, keywords and text are searched; dates, references and notes are not. */
const searchedSections = new Set(['A', 'K', 'W']);

/** Reads documents or questions. Lines outside every record and section are odd. */
export function parseSmartRecords(file: string): Parsed<Document> {
  const entries: Document[] = [];
  const oddLines: number[] = [];
  let current: { id: string; title: string[]; text: string[] } | undefined;
  let section = '';
  const close = () => {
    if (!current) return;
    const { id, title, text } = current;
    entries.push({ id, title: joinLines(title), text: joinLines(text) });
  };
  file.split(/\r?\n/).forEach((line, index) => {
    const started = recordStart.exec(line)?.[1];
    if (started !== undefined) {
      close();
      current = { id: plainNumber(started), title: [], text: [] };
      section = '';
      return;
    }
    const named = sectionStart.exec(line)?.[1];
    if (named !== undefined && current) section = named;
    else if (line.trim() === '') return;
    else if (!current || section === '') oddLines.push(index + 1);
    else if (section === 'T') current.title.push(line);
    else if (searchedSections.has(section)) current.text.push(line);
  });
  close();
  return { entries, oddLines };
}

/**
 * Reads `question document`, with a third column that is Cranfield's code, or two more without
 * meaning (CACM, CISI). Cranfield's codes 1 to 4 are degrees of relevance; sources disagree which
 * end is the better one, so they all count as 1, and other codes as not relevant.
 */
export function parseSmartJudgements(file: string): Parsed<Judgement> {
  const entries: Judgement[] = [];
  const oddLines: number[] = [];
  file.split(/\r?\n/).forEach((line, index) => {
    const columns = line.trim().split(/\s+/);
    if (columns[0] === '') return;
    const [question = '', document = '', code = '1'] = columns;
    const numbers = [question, document].every((column) => /^\d+$/.test(column));
    if (!numbers || columns.length > 4 || !/^-?\d+$/.test(code)) {
      oddLines.push(index + 1);
      return;
    }
    const relevant = columns.length === 4 || (Number(code) >= 1 && Number(code) <= 4);
    entries.push({
      question: plainNumber(question),
      document: plainNumber(document),
      grade: relevant ? 1 : 0,
    });
  });
  return { entries, oddLines };
}

function joinLines(lines: readonly string[]): string {
  return lines.join(' ').replace(/\s+/g, ' ').trim();
}

/** Questions are numbered 001 in one file and 1 in the other. */
function plainNumber(id: string): string {
  return id.replace(/^0+(?=\d)/, '');
}
