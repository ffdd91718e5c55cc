// The thread on which long answers are read: pieces and a task in, parts and news out.
import { readNews } from './read-transcript.ts';
import type { FromThread, ReadingTask, ToThread } from './read-transcript.ts';

declare const self: Worker;

const pieces = new Map<number, string[]>();
/** What is still to be handed over, one piece each time the loop asks for it. */
const ready = new Map<number, FromThread[]>();

self.addEventListener('message', ({ data }: MessageEvent<ToThread>) => {
  if (data.kind === 'next') {
    handOver(data.id);
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
    tell(data.id, { ...data.task, texts: known });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    post({ kind: 'failed', id: data.id, message });
  }
});

function tell(id: number, task: ReadingTask): void {
  const news = readNews(task);
  if (news.kind !== 'done') return post({ kind: 'news', id, news });
  const parts = news.written.parts.map((text): FromThread => ({ kind: 'part', id, text }));
  const last: FromThread = {
    kind: 'news',
    id,
    news: { ...news, written: { ...news.written, parts: [] } },
  };
  ready.set(id, [...parts, last].toReversed());
  handOver(id);
}

function handOver(id: number): void {
  const left = ready.get(id);
  const next = left?.pop();
  if (next) post(next);
  if (left?.length === 0) ready.delete(id);
}

function post(message: FromThread): void {
  self.postMessage(message);
}
