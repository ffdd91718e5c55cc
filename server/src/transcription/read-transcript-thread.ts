// The thread that reads long answers: it receives the text in pieces, and returns the transcript in
// parts.
import { readReport } from './read-transcript.ts';
import type { FromThread, ReadingTask, ToThread } from './read-transcript.ts';

declare const self: Worker;

const pieces = new Map<number, string[]>();
/** Messages to be sent, one each time the main thread asks for the next. */
const ready = new Map<number, FromThread[]>();

self.addEventListener('message', ({ data }: MessageEvent<ToThread>) => {
  if (data.kind === 'next') {
    sendNext(data.id);
    return;
  }
  const known = pieces.get(data.id) ?? [];
  if (data.kind === 'piece') {
    known.push(data.text);
    pieces.set(data.id, known);
    return;
  }
  pieces.delete(data.id);
  try {
    readAndReply(data.id, { ...data.task, texts: known });
  } catch (error) {
    post({
      kind: 'failed',
      id: data.id,
      error: error instanceof Error ? error : Error(String(error)),
    });
  }
});

function readAndReply(id: number, task: ReadingTask): void {
  const report = readReport(task);
  if (report.kind !== 'done') return post({ kind: 'report', id, report });
  const parts = report.written.parts.map((text): FromThread => ({ kind: 'part', id, text }));
  const last: FromThread = {
    kind: 'report',
    id,
    report: { ...report, written: { ...report.written, parts: [] } },
  };
  ready.set(id, [...parts, last].toReversed());
  sendNext(id);
}

function sendNext(id: number): void {
  const left = ready.get(id);
  const next = left?.pop();
  if (next) post(next);
  if (left?.length !== 0) return;
  ready.delete(id);
  // Otherwise the garbage collector of an idle thread would keep the text in memory.
  Bun.gc(true);
}

function post(message: FromThread): void {
  self.postMessage(message);
}
