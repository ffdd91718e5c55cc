// Has articles read on threads: a few at a time, each with an end to its patience.
import { Worker } from 'node:worker_threads';
import type { Article } from './article.ts';
import type { Task } from './article-worker.ts';
import { ScrapeFailure } from './scrape-failure.ts';

/** Waits for a free thread; the thread is gone when the article is read or the signal says stop. */
export async function readApart(task: Task, signal: AbortSignal): Promise<Article> {
  await takeTurn();
  try {
    signal.throwIfAborted();
    return await readOnThread(task, signal);
  } finally {
    passTurn();
  }
}

const MAX_THREADS = 4;
const MAX_WAITING = 200;

let running = 0;
const waiting: (() => void)[] = [];

async function takeTurn(): Promise<void> {
  if (running < MAX_THREADS) {
    running += 1;
    return;
  }
  if (waiting.length >= MAX_WAITING) throw unreadable('too many pages are being read');
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
  });
}

function passTurn(): void {
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
}

async function readOnThread(task: Task, signal: AbortSignal): Promise<Article> {
  const worker = new Worker(new URL('./article-worker.ts', import.meta.url));
  try {
    return await new Promise<Article>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', () => reject(unreadable('its markup defeats the reader')));
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.postMessage(task);
    });
  } finally {
    await worker.terminate();
  }
}

function unreadable(reason: string): ScrapeFailure {
  return new ScrapeFailure('SCRAPE_ALL_ENGINES_FAILED', `The page cannot be read: ${reason}.`);
}
