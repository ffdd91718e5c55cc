// The error format of each drop-in API, so that its clients show the message.
import type { ErrorEnvelope } from '@trivium/contract';
import { z } from 'zod';

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
      // Tavily's Python client does not show the message of a 402, but shows the message of
      // Tavily's own 432.
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

/** Firecrawl's Python client calls this path, because it drops the path of its base URL. */
const firecrawlRoot = '/v2/';

const openAi: ErrorFormat = {
  toError: ({ message, type, detail }, status) => {
    const issue = FirstIssue.safeParse(detail).data?.issues[0];
    return {
      error: {
        message,
        type: status >= 500 ? 'server_error' : 'invalid_request_error',
        param: issue?.path || null,
        code: issue?.code ?? openAiCodes[type] ?? type,
      },
    };
  },
};

/** The OAuth endpoints that programs call (RFC 6749, section 5.2). */
const oauthPaths = ['/oauth/register', '/oauth/token', '/oauth/revoke'];

const oauth: ErrorFormat = {
  toError: ({ message }, status) => ({
    error: status >= 500 ? 'server_error' : 'invalid_request',
    error_description: message,
  }),
};

/** OpenAI's own codes, which its clients and the applications that use them know. */
const openAiCodes: Partial<Record<ErrorEnvelope['error']['type'], string>> = {
  unauthorized: 'invalid_api_key',
  insufficient_credits: 'insufficient_quota',
  rate_limited: 'rate_limit_exceeded',
};

const FirstIssue = z.object({
  issues: z.array(z.object({ path: z.string(), code: z.string() })),
});

export function errorFormatAt(path: string): ErrorFormat | undefined {
  // OpenAI's API is not below /compat, because clients only replace the host.
  if (path === '/v1/models' || path.startsWith('/v1/audio/')) return openAi;
  if (path.startsWith('/.well-known/') || oauthPaths.includes(path)) return oauth;
  if (path.startsWith(firecrawlRoot)) return errorFormats.get('firecrawl');
  return errorFormats.get(/^\/compat\/([^/]+)/.exec(path)?.[1] ?? '');
}
