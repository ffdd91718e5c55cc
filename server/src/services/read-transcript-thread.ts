// The thread on which long answers are read: one task in, its news out.
import { readNews } from './read-transcript.ts';
import type { ThreadAnswer, ThreadTask } from './read-transcript.ts';

declare const self: Worker;

self.addEventListener('message', ({ data }: MessageEvent<ThreadTask>) => {
  const answer: ThreadAnswer = { id: data.id };
  try {
    answer.news = readNews(data.task);
  } catch (error) {
    answer.error = error instanceof Error ? error.message : String(error);
  }
  self.postMessage(answer);
});
