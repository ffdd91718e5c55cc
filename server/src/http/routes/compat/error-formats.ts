// The error format of each drop-in API, so that its clients show the message.
import type { ErrorEnvelope } from '@trivium/contract';

interface ErrorFormat {
  toError: (error: ErrorEnvelope['error'], status: number) => object;
  /** Statuses of the gateway that the other API replaces with its own. */
  statuses?: Readonly<Record<number, number>>;
}

/** By the path segment after /compat. */
const errorFormats: ReadonlyMap<string, ErrorFormat> = new Map<string, ErrorFormat>([
  [
    'tavily',
    {
      toError: ({ message }) => ({ detail: { error: message } }),
      // Tavily's Python client shows no message with a 402, but shows it with Tavily's own 432.
      statuses: { 402: 432 },
    },
  ],
  ['exa', { toError: ({ message, type }) => ({ error: message, tag: type }) }],
  ['perplexity', { toError: ({ message, type }, code) => ({ error: { message, type, code } }) }],
  ['searxng', { toError: ({ message }) => ({ error: message }) }],
  [
    'firecrawl',
    { toError: ({ message, type }) => ({ success: false, error: message, code: type }) },
  ],
]);

/** Firecrawl's Python client calls this path, because it drops the one of its base URL. */
const firecrawlRoot = '/v2/';

export function errorFormatAt(path: string): ErrorFormat | undefined {
  if (path.startsWith(firecrawlRoot)) return errorFormats.get('firecrawl');
  return errorFormats.get(/^\/compat\/([^/]+)/.exec(path)?.[1] ?? '');
}
