// Reads a provider's answers about a job. Long answers are read on a thread, so that they do not
// block the event loop.
import type { TranscriberId } from '@trivium/contract';
import { dayMs } from '@trivium/contract/durations';
import { type Rates, highestCeiling, toAmount } from '../billing/core/index.ts';
import { makeThreads } from '../platform/thread.ts';
import {
  type Attempt,
  type CallbackReport,
  type Progress,
  type TranscribeProduct,
  optionsSent,
  providers,
} from '../providers/index.ts';
import { parseJson } from '../upstream/core/index.ts';
import type { Submission } from './core/submission.ts';
import { type WrittenTranscript, writeTranscript } from './core/transcript.ts';

export interface ReadingTask {
  source: 'submit' | 'poll' | 'callback';
  provider: TranscriberId;
  status: number;
  headers: [string, string][];
  /** The text in the parts in which it arrived. */
  texts: string[];
  attempt: Attempt;
  language?: string;
  heldSeconds: number;
  rates: Rates;
}

type Report = Submission | Progress | CallbackReport;

/** What a provider reported about a job. A finished transcript is ready to be stored. */
export type ProviderReport =
  | Exclude<Report, { kind: 'done' }>
  | {
      kind: 'done';
      provider_job_id?: string | null;
      written: WrittenTranscript;
      /** The document it was read from. */
      raw?: RawDocument;
    };

/** The vendor's document as received: as text, or as the stored body of a callback. */
export type RawDocument = { texts: readonly string[] } | { id: string; chars: number };

/** Below this length, reading on the main thread is faster than copying to the thread and back. */
const shortChars = 128 * 1024;

/** A long text is copied to the thread and back in pieces, so that no copy blocks for long. */
const pieceChars = 512 * 1024;

function* cutIntoPieces(texts: readonly string[]): Generator<string, undefined> {
  for (const text of texts) {
    for (let at = 0; at < text.length; at += pieceChars) yield text.slice(at, at + pieceChars);
  }
}

/** What the thread hands over: a part of the transcript, or null to ask for the next piece. */
export type FromThread = string | null;

/** One answer at a time. All others wait, because they are paid for. */
const threadLimits = { maxRunning: 1, maxWaiting: Infinity, maxWaitMs: dayMs, smol: true };

export type TranscriptReader = ReturnType<typeof createTranscriptReader>;

/** `onDefect` is called if an adapter throws, instead of reporting what it cannot read. */
export function createTranscriptReader(
  onDefect: (provider: string, error: unknown) => void = () => undefined,
) {
  const threads = makeThreads<ReadingTask, ProviderReport, FromThread, string | undefined>(
    new URL('./read-transcript-thread.ts', import.meta.url),
    { ...threadLimits, name: 'transcripts_read' },
  );
  const read = async (task: ReadingTask): Promise<ProviderReport> => {
    const chars = task.texts.reduce((sum, text) => sum + text.length, 0);
    if (chars <= shortChars) return readReport(task);
    const pieces = cutIntoPieces(task.texts);
    const parts: string[] = [];
    const serve = (part: FromThread) => {
      if (part !== null) parts.push(part);
      return Promise.resolve(part === null ? pieces.next().value : undefined);
    };
    const answer = await threads.ask({ ...task, texts: [] }, undefined, serve);
    if (!('value' in answer)) throw answer.error ?? new Error(`the thread is ${answer.notDone}`);
    const report = answer.value;
    return report.kind === 'done' ? { ...report, written: { ...report.written, parts } } : report;
  };
  return {
    read: (task: ReadingTask) =>
      read(task).catch((error: unknown) => {
        onDefect(task.provider, error);
        throw error;
      }),
    close: threads.close,
  };
}

export function readReport(task: ReadingTask): ProviderReport {
  const product = providers[task.provider].transcribe;
  if (!product) throw new Error(`${task.provider} has no transcription product`);
  const { attempt, rates } = task;
  const report = newsFrom(product, task);
  if (report.kind !== 'done') return report;
  const sent = optionsSent(product, attempt);
  const written = writeTranscript(report.reading, {
    provider: task.provider,
    model: attempt.ask.model,
    hasWords: attempt.ask.timestamps !== 'none',
    heldSeconds: task.heldSeconds,
    ...(task.language === undefined ? {} : { language: task.language }),
    priceOf: (seconds, ran) =>
      toAmount(product.price.cost({ ...ran, sent, seconds, rates })) ?? highestCeiling,
  });
  const { provider_job_id } = report;
  return { kind: 'done', written, ...(provider_job_id ? { provider_job_id } : {}) };
}

function newsFrom(product: TranscribeProduct, task: ReadingTask): Report {
  const { source, status, attempt } = task;
  const text = task.texts.join('');
  const reply = { status, headers: new Headers(task.headers), text, body: parseJson(text) };
  if (source === 'submit') return product.fromSubmit(reply, attempt);
  // A callback that is not JSON is passed as text.
  if (source === 'callback') return product.fromCallback(reply.body ?? text, attempt);
  return product.fromPoll?.(reply, attempt) ?? { kind: 'running' };
}
