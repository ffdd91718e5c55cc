// The thread for work on texts from the web that would delay other callers: it scans long texts,
// chooses their passages, and counts and cuts them for a token budget. The table of the tokenizer
// takes 60 MB and a quarter of a second to load, so it is loaded for the first budget.
import { answerTasks } from '../platform/thread.ts';
import { type ScannedText, scanTexts } from './core/scan.ts';
import { type CutTexts, type RankedText, choosePassages, fitTexts } from './core/shorten.ts';

export interface ContentTask {
  fit: { texts: readonly RankedText[]; budget: number };
  scan: { texts: readonly string[]; isCleaned: boolean };
  choose: { text: string; query: string; count: number };
}

export interface ContentOutcome {
  fit: CutTexts;
  scan: ScannedText[];
  choose: string[];
}

let tokenizer: Awaited<ReturnType<typeof loadTokenizer>> | undefined;

answerTasks<Partial<ContentTask>, ContentOutcome[keyof ContentOutcome]>(
  ({ fit, scan, choose }) => {
    if (fit && tokenizer) return fitTexts(tokenizer, fit.texts, fit.budget);
    if (choose) return choosePassages(choose.text, choose.query, choose.count);
    if (scan) return scanTexts(scan.texts, scan.isCleaned);
    throw new Error('the thread does not know this task');
  },
  async ({ fit }) => {
    if (fit) tokenizer ??= await loadTokenizer();
  },
);

function loadTokenizer() {
  return import('gpt-tokenizer/encoding/o200k_base');
}
