// The client: one function for each endpoint of the gateway.
import type {
  Balance,
  ExtractRequestInput,
  ExtractResponse,
  Job,
  ProvidersResponse,
  SearchRequestInput,
  SearchResponse,
  ToolName,
  TranscriptionAccepted,
  TranscriptionRequestInput,
  Warning,
} from '@trivium/contract';
import { waitForJob } from './jobs.ts';
import type { CompletedJob, WaitOptions } from './jobs.ts';
import { send } from './send.ts';
import type { Fetch, Transport } from './send.ts';

export const defaultUrl = 'http://127.0.0.1:8787';

export interface WarningContext {
  tool: ToolName;
  /** The id of the response that carries the warning. */
  id: string;
  provider: string;
}

export interface ClientOptions {
  /** A key that starts with sk_live_. */
  api_key: string;
  /** The gateway's base URL; http://127.0.0.1:8787 by default. */
  url?: string | undefined;
  /** How long one call may take, including its retries; 120 seconds by default. */
  timeout_ms?: number | undefined;
  /** How many times a call is retried after a network failure; 2 by default. */
  max_retries?: number | undefined;
  /** Called for every warning, which says how a request was adjusted for its provider. */
  on_warning?: ((warning: Warning, context: WarningContext) => void) | undefined;
  fetch?: Fetch | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeout_ms?: number | undefined;
}

export interface PostOptions extends CallOptions {
  /** Generated for each call unless given; pass your own to retry a call across restarts. */
  idempotency_key?: string | undefined;
  /** Refuse the request before any provider is called if it may cost more than this. */
  max_cost_usd?: number | undefined;
}

export interface Client {
  search: (request: SearchRequestInput, options?: PostOptions) => Promise<SearchResponse>;
  extract: (request: ExtractRequestInput, options?: PostOptions) => Promise<ExtractResponse>;
  /** Resolves as soon as the job is accepted; wait for its end with `jobs.wait`. */
  transcribe: (
    request: TranscriptionRequestInput,
    options?: PostOptions,
  ) => Promise<TranscriptionAccepted>;
  jobs: {
    get: (id: string, options?: CallOptions) => Promise<Job>;
    wait: (id: string, options?: WaitOptions) => Promise<CompletedJob>;
  };
  balance: (options?: CallOptions) => Promise<Balance>;
  providers: (options?: CallOptions) => Promise<ProvidersResponse>;
}

export function createClient(options: ClientOptions): Client {
  const transport = transportOf(options);
  const warn = (tool: ToolName, answer: { id: string; provider: string; warnings: Warning[] }) => {
    const { id, provider, warnings } = answer;
    for (const warning of warnings) options.on_warning?.(warning, { tool, id, provider });
  };
  const post = async <T extends { id: string; provider: string; warnings: Warning[] }>(
    tool: ToolName,
    path: string,
    body: unknown,
    { idempotency_key = crypto.randomUUID(), max_cost_usd, ...rest }: PostOptions = {},
  ): Promise<T> => {
    const headers = max_cost_usd === undefined ? {} : { 'x-max-cost-usd': usdText(max_cost_usd) };
    const call = { method: 'POST' as const, path, body, headers, idempotency_key, ...rest };
    const answer = await send<T>(transport, call);
    warn(tool, answer);
    return answer;
  };
  const get = <T>(path: string, rest: CallOptions = {}) =>
    send<T>(transport, { method: 'GET', path, ...rest });
  const getJob = (id: string, rest?: CallOptions) =>
    get<Job>(`/v1/jobs/${encodeURIComponent(id)}`, rest);
  return {
    search: (request, rest) => post('search', '/v1/search', request, rest),
    extract: (request, rest) => post('extract', '/v1/extract', request, rest),
    transcribe: (request, rest) => post('transcription', '/v1/transcriptions', request, rest),
    jobs: {
      get: getJob,
      wait: (id, rest) => waitForJob((signal) => getJob(id, { signal }), rest),
    },
    balance: (rest) => get('/v1/balance', rest),
    providers: (rest) => get('/v1/providers', rest),
  };
}

const callLimitMs = 120_000;
const maxRetries = 2;

export function transportOf(options: ClientOptions): Transport {
  return {
    url: (options.url ?? defaultUrl).replace(/(?<!\/)\/+$/, ''),
    token: options.api_key,
    timeout_ms: options.timeout_ms ?? callLimitMs,
    max_retries: options.max_retries ?? maxRetries,
    // Browsers refuse a fetch whose `this` is not the global object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

/** Plain digits with at most six decimals, as the header requires. */
function usdText(amount: number): string {
  return amount.toFixed(6).replace(/(?:\.|(?<![.0]))0+$/, '');
}
