// Returns every error in the format of the API whose address was called, so that its clients show the
// message, including for unknown paths, wrong methods and internal errors.
import { ErrorEnvelope, ValidationIssue } from '@trivium/contract';
import { z } from 'zod';

/** `path` is the called path. */
export async function translateError(response: Response, path: string): Promise<Response> {
  const format = errorFormatAt(path);
  if (format === undefined) return response;
  const { status, headers } = response;
  const text = await response.text();
  const error = readEnvelope(text);
  if (!error) return new Response(text, { status, headers });
  const translated = format.toError({ ...error, message: fullMessage(error) }, status);
  const init = { status: format.statuses?.[status] ?? status, headers };
  return new Response(JSON.stringify(translated), init);
}

interface ErrorFormat {
  toError: (error: ErrorEnvelope['error'], status: number) => object;
  /** Statuses of the gateway that the other API replaces with its own. */
  statuses?: Readonly<Record<number, number>>;
}

/** By the path segment after /compat. */
const errorFormats = new Map(
  Object.entries<ErrorFormat>({
    tavily: {
      toError: ({ message }) => ({ detail: { error: message } }),
      // Tavily's Python client shows the message of Tavily's own 432, but not that of a 402.
      statuses: { 402: 432 },
    },
    exa: { toError: ({ message, type }) => ({ error: message, tag: type }) },
    perplexity: { toError: ({ message, type }, code) => ({ error: { message, type, code } }) },
    searxng: { toError: ({ message }) => ({ error: message }) },
    firecrawl: {
      toError: ({ message, type }) => ({ success: false, error: message, code: type }),
    },
  }),
);

/** Firecrawl's Python client calls this path, because it drops the path of its base URL. */
const firecrawlRoot = '/v2/';

const openAi: ErrorFormat = {
  toError: ({ message, type, detail }, status) => {
    const [issue] = issuesIn(detail);
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

const Issues = z.object({ issues: z.array(ValidationIssue) });

function issuesIn(detail: unknown) {
  return Issues.safeParse(detail).data?.issues ?? [];
}

/** Undefined for our own format. */
export function errorFormatAt(path: string): ErrorFormat | undefined {
  // OpenAI's API is not below /compat, because clients only replace the host.
  if (path === '/v1/models' || path.startsWith('/v1/audio/')) return openAi;
  if (path.startsWith('/.well-known/') || oauthPaths.includes(path)) return oauth;
  if (path.startsWith(firecrawlRoot)) return errorFormats.get('firecrawl');
  return errorFormats.get(/^\/compat\/([^/]+)/.exec(path)?.[1] ?? '');
}

function readEnvelope(text: string): ErrorEnvelope['error'] | undefined {
  try {
    return ErrorEnvelope.parse(JSON.parse(text)).error;
  } catch {
    return undefined;
  }
}

/** The other APIs have no field for a list of issues, so the message includes it. */
function fullMessage({ message, detail }: ErrorEnvelope['error']): string {
  const missing = issuesIn(detail).filter((issue) => !message.includes(issue.message));
  return [message, ...missing.map((issue) => `${issue.path}: ${issue.message}`)].join(' ');
}
