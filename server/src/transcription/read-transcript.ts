// Reads a provider's answers about a job. Long answers are read on a thread, so that they do not
// block the event loop.
import type { TranscriberId } from '@trivium/contract';
import { nextTurn } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';
import { highestCeiling, type Rates, toAmount } from '../billing/core/index.ts';
import type { Submission } from './core/submission.ts';
import { writeTranscript } from './core/transcript.ts';
import type { WrittenTranscript } from './core/transcript.ts';
import {
  type Attempt,
  type CallbackReport,
  optionsSent,
  type Progress,
  providers,
  type TranscribeProduct,
} from '../providers/index.ts';
import { parseJson } from '../upstream/core/index.ts';

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

export interface TranscriptReader {
  read: (task: ReadingTask) => Promise<ProviderReport>;
  close: () => void;
}

export function withRaw(report: ProviderReport, raw: RawDocument): ProviderReport {
  return report.kind === 'done' ? { ...report, raw } : report;
}

/** Below this length, reading on the main thread is faster than copying to the thread and back. */
const shortChars = 128 * 1024;

/**
 * `onDefect` is called if an adapter throws. Adapters should report what they cannot read instead
 * of throwing.
 */
export function createTranscriptReader(
  onDefect: (provider: string, error: unknown) => void = () => undefined,
): TranscriptReader {
  let thread: Worker | undefined;
  const waiting = new Map<number, Waiting>();
  let count = 0;
  const start = () => {
    const started = machine.startThread(new URL('./read-transcript-thread.ts', import.meta.url), {
      // The thread must not keep an otherwise idle process alive.
      ref: false,
      smol: true,
    });
    started.addEventListener('message', ({ data }: MessageEvent<FromThread>) => {
      const one = waiting.get(data.id);
      if (data.kind === 'part') {
        one?.parts.push(data.text);
        // Asks for one at a time: messages that arrive together are copied in one turn of the event
        // loop.
        started.postMessage({ kind: 'next', id: data.id } satisfies ToThread);
        return;
      }
      waiting.delete(data.id);
      if (data.kind === 'failed') one?.reject(data.error);
      else one?.resolve(withParts(data.report, one.parts));
    });
    started.addEventListener('error', (event) => {
      thread = undefined;
      for (const one of waiting.values()) one.reject(new Error(event.message));
      waiting.clear();
    });
    return started;
  };
  const read = async (task: ReadingTask) => {
    const chars = task.texts.reduce((sum, text) => sum + text.length, 0);
    if (chars <= shortChars) return readReport(task);
    thread ??= start();
    const id = (count += 1);
    const { promise, resolve, reject } = Promise.withResolvers<ProviderReport>();
    waiting.set(id, { resolve, reject, parts: [] });
    await postInPieces(thread, id, task);
    return promise;
  };
  return {
    read: (task) =>
      read(task).catch((error: unknown) => {
        onDefect(task.provider, error);
        throw error;
      }),
    close: () => thread?.terminate(),
  };
}

interface Waiting {
  resolve: (report: ProviderReport) => void;
  reject: (error: Error) => void;
  parts: string[];
}

/** A long text is copied to the thread and back in pieces, so that no copy blocks for long. */
export type ToThread =
  | { kind: 'piece'; id: number; text: string }
  | { kind: 'task'; id: number; task: ReadingTask }
  | { kind: 'next'; id: number };

export type FromThread =
  | { kind: 'part'; id: number; text: string }
  | { kind: 'report'; id: number; report: ProviderReport }
  | { kind: 'failed'; id: number; error: Error };

const pieceChars = 512 * 1024;

async function postInPieces(thread: Worker, id: number, task: ReadingTask): Promise<void> {
  for (const text of task.texts) {
    for (let at = 0; at < text.length; at += pieceChars) {
      const piece: ToThread = { kind: 'piece', id, text: text.slice(at, at + pieceChars) };
      thread.postMessage(piece);
      await nextTurn();
    }
  }
  const last: ToThread = { kind: 'task', id, task: { ...task, texts: [] } };
  thread.postMessage(last);
}

function withParts(report: ProviderReport, parts: string[]): ProviderReport {
  return report.kind === 'done' ? { ...report, written: { ...report.written, parts } } : report;
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
