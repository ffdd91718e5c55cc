// The thread on which long answers are read: pieces and a task in, parts and news out.
import { readNews } from './read-transcript.ts';
import type { FromThread, ReadingTask, ToThread } from './read-transcript.ts';

declare const self: Worker;

const pieces = new Map<number, string[]>();

self.addEventListener('message', ({ data }: MessageEvent<ToThread>) => {
  const known = pieces.get(data.id) ?? [];
  if (data.kind === 'piece') {
    pieces.set(data.id, [...known, data.text]);
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
  for (const text of news.written.parts) post({ kind: 'part', id, text });
  post({ kind: 'news', id, news: { ...news, written: { ...news.written, parts: [] } } });
}

function post(message: FromThread): void {
  self.postMessage(message);
}
