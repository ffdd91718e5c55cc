// Parses articles in a worker thread, so that a page that is slow to parse affects no other.
import { parentPort } from 'node:worker_threads';
import { readArticle } from './article.ts';

export type Task = { html: string; url: string };

parentPort?.on('message', ({ html, url }: Task) => {
  parentPort?.postMessage(readArticle(html, url));
});
