// Reads articles on a thread of its own, so that a page made to be slow harms nobody else.
import { parentPort } from 'node:worker_threads';
import { readArticle } from './article.ts';

export type Task = { html: string; url: string };

parentPort?.on('message', ({ html, url }: Task) => {
  parentPort?.postMessage(readArticle(html, url));
});
