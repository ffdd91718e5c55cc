// Has long texts from the web processed on a thread. What the thread does not do in time is not
// done: the text counts as not checked, or is cut without being counted. The event loop never does
// that work, so no page can delay other callers.
import { version } from '@trivium/contract';
import { sha256Hex } from '../platform/ids.ts';
import { machine } from '../platform/machine.ts';
import { type ThreadLimits, type Threads, makeThreads } from '../platform/thread.ts';
import type { ContentOutcome, ContentTask } from './content-thread.ts';
import { type ScannedText, isScannedText, notChecked, scanTexts } from './core/scan.ts';
import { type RankedText, choosePassages, fitUncounted } from './core/shorten.ts';

type AskedThreads = Threads<Partial<ContentTask>, ContentOutcome[keyof ContentOutcome]>;

export interface ContentThread extends Pick<AskedThreads, 'running' | 'waiting' | 'counts'> {
  /** The texts that were cut to fit the budget, by their position. */
  fit: (texts: readonly RankedText[], budget: number, account: string) => Promise<Fitted>;
  /** With `keep`, a text that was scanned before is not scanned again. */
  scan: (
    texts: readonly string[],
    isCleaned: boolean,
    account: string,
    keep?: KeepText,
  ) => Promise<ScannedText[]>;
  /** The best passages of each text. None of a text that takes too long. */
  choose: (
    texts: readonly string[],
    query: string,
    count: number,
    account: string,
  ) => Promise<string[][]>;
}

interface Fitted {
  cut: ReadonlyMap<number, string>;
  /** False if the texts were cut without counting their tokens. */
  isCounted: boolean;
}

/** One account uses at most one of two threads, so it delays only itself. */
const usualLimits: ThreadLimits = {
  ...{ maxRunning: 2, maxOfOne: 1, maxWaiting: 64, maxWaitMs: 10_000 },
  ...{ startMs: 10_000, taskMs: 3000 },
};

/** Shorter texts are processed at once, which takes a few milliseconds at most. */
const maxBytesAtOnce = 8 * 1024;
/** How many short texts are one task. */
const maxCharsOfBatch = 4 * maxBytesAtOnce;
/** What is left of an answer after this time is left out. */
const maxMsOfAnswer = 10_000;

export function makeContentThread(
  limits = usualLimits,
  program = new URL('./content-thread.ts', import.meta.url),
): ContentThread {
  const threads: AskedThreads = makeThreads(program, limits);
  const ask = async <Kind extends keyof ContentTask>(
    kind: Kind,
    task: ContentTask[Kind],
    account: string,
  ) => {
    const answer = await threads.ask({ [kind]: task }, account);
    return answer as { value: ContentOutcome[Kind] } | Exclude<typeof answer, { value: unknown }>;
  };
  const { running, waiting, counts } = threads;
  return {
    ...{ running, waiting, counts },
    fit: async (texts, budget, account) => {
      // A token has at least one byte, so such texts fit.
      if (3 * lengthOf(texts.map(({ text }) => text)) <= budget)
        return { cut: new Map(), isCounted: true };
      const answer = await ask('fit', { texts, budget }, account);
      const isCounted = 'value' in answer;
      return { cut: new Map(isCounted ? answer.value : fitUncounted(texts, budget)), isCounted };
    },
    scan: async (texts, isCleaned, account, keep) => {
      if (areShort(texts)) return scanTexts(texts, isCleaned);
      const scanned = texts.map(() => notChecked);
      await untilLate(batchesOf(texts), async (batch) => {
        const task = { texts: batch.map((at) => texts[at] ?? ''), isCleaned };
        const found = await scanOnce(task, () => ask('scan', task, account), keep);
        for (const [index, at] of batch.entries()) scanned[at] = found[index] ?? notChecked;
      });
      return scanned;
    },
    choose: async (texts, query, count, account) => {
      if (areShort([query, ...texts]))
        return texts.map((text) => choosePassages(text, query, count));
      const chosen: string[][] = [];
      await untilLate(texts, async (text) => {
        const answer = text && (await ask('choose', { text, query, count }, account));
        chosen.push(answer && 'value' in answer ? answer.value : []);
      });
      return chosen;
    },
  };
}

/** Works on one after the other, and leaves out the rest of an answer that takes too long. */
async function untilLate<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const giveUpAt = machine.ticks() + maxMsOfAnswer;
  for (const one of all) {
    if (machine.ticks() > giveUpAt) return;
    await work(one);
  }
}

function areShort(texts: readonly string[]): boolean {
  // Even an empty text takes some time.
  const atLeast = lengthOf(texts) + 8 * texts.length;
  return atLeast <= maxBytesAtOnce && Buffer.byteLength(texts.join('')) <= maxBytesAtOnce;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** The positions of the texts of each task: a long text alone, short ones together. */
function batchesOf(texts: readonly string[]): number[][] {
  const batches: number[][] = [];
  let [short, room] = [[] as number[], -1];
  for (const [at, { length }] of texts.entries()) {
    if (length > maxBytesAtOnce) {
      batches.push([at]);
      continue;
    }
    if (length > room) {
      [short, room] = [[], maxCharsOfBatch];
      batches.push(short);
    }
    short.push(at);
    room -= length;
  }
  return batches;
}

/** Returns the stored text of this key, or makes and stores it. */
export type KeepText = (
  key: string,
  /** Throws if the text is not one of this version. */
  read: (text: string) => unknown,
  make: () => Promise<string | undefined>,
) => Promise<string | undefined>;

/**
 * What was found in a text is kept with the cached answers of its account, so that a cached page is
 * scanned once. A new version of the gateway scans it again. Nothing if the texts were not scanned.
 */
async function scanOnce(
  { texts, isCleaned }: ContentTask['scan'],
  scan: () => ReturnType<Threads<unknown, ScannedText[]>['ask']>,
  keep: KeepText | undefined,
): Promise<ScannedText[]> {
  if (!keep) {
    const answer = await scan();
    return 'value' in answer ? answer.value : [];
  }
  const make = async () => {
    const answer = await scan();
    if ('value' in answer) return JSON.stringify(answer.value);
    // A text that has ended a thread does not end another one.
    const isBusy = answer.notDone === 'busy';
    return isBusy ? undefined : JSON.stringify(texts.map(() => notChecked));
  };
  const lengths = texts.map(({ length }) => length);
  const key = sha256Hex([version, isCleaned, ...lengths, ...texts].join('\n'));
  // A store that fails costs another scan.
  const text = await keep(key, readScanned, make).catch(make);
  return text === undefined ? [] : readScanned(text);
}

function readScanned(text: string): ScannedText[] {
  const scanned: unknown = JSON.parse(text);
  if (Array.isArray(scanned) && scanned.every(isScannedText)) return scanned;
  throw new Error('what was found in the texts is missing or of another type');
}
