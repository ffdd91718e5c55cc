// A small pool of worker threads that parse articles, with a time limit for each.
import { Worker } from 'node:worker_threads';
import type { Article } from './article.ts';
import type { Task } from './article-worker.ts';
import { ScrapeFailure } from './scrape-failure.ts';

/** Waits for a free thread; gives up when the signal is aborted. */
export async function parseArticle(task: Task, signal: AbortSignal): Promise<Article> {
  await takeTurn();
  try {
    signal.throwIfAborted();
    return await readOnThread(task, signal);
  } finally {
    passTurn();
  }
}

const maxThreads = 2;
/** Each one keeps a whole page in memory. */
const maxWaiting = 32;

let running = 0;
const waiting: (() => void)[] = [];
const idle: Worker[] = [];

async function takeTurn(): Promise<void> {
  if (running < maxThreads) {
    running += 1;
    return;
  }
  if (waiting.length >= maxWaiting) throw unreadable('too many pages are being read');
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
  const worker = idle.pop() ?? startWorker();
  try {
    const article = await ask(worker, task, signal);
    idle.push(worker);
    return article;
  } catch (error) {
    // No caller waits for its result any more.
    await worker.terminate();
    throw error;
  }
}

/** An idle thread does not keep the process alive. */
function startWorker(): Worker {
  const worker = new Worker(new URL('./article-worker.ts', import.meta.url));
  worker.unref();
  return worker;
}

async function ask(worker: Worker, task: Task, signal: AbortSignal): Promise<Article> {
  const { promise, resolve, reject } = Promise.withResolvers<Article>();
  const onError = () => reject(unreadable('its markup cannot be parsed'));
  const onAbort = () => reject(signal.reason as Error);
  worker.on('message', resolve).on('error', onError);
  signal.addEventListener('abort', onAbort);
  try {
    worker.postMessage(task);
    return await promise;
  } finally {
    worker.off('message', resolve).off('error', onError);
    signal.removeEventListener('abort', onAbort);
  }
}

function unreadable(reason: string): ScrapeFailure {
  return new ScrapeFailure('SCRAPE_ALL_ENGINES_FAILED', `The page cannot be read: ${reason}.`);
}
