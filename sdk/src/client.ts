// The client: one function for each endpoint of the gateway.
import type {
  Balance,
  Estimate,
  ExtractRequestInput,
  ExtractResponse,
  Job,
  JobStatus,
  JobSummary,
  OwnJobList,
  OwnUsage,
  ProvidersResponse,
  RawDocument,
  SearchRequestInput,
  SearchResponse,
  ToolName,
  TranscriptionAccepted,
  TranscriptionRequestInput,
  Warning,
} from '@trivium/contract';
import { ApiError } from './errors.ts';
import { waitForJob } from './jobs.ts';
import type { CompletedJob, WaitOptions } from './jobs.ts';
import { apiPromise, pagePromise } from './api-promise.ts';
import type { ApiPromise, PagePromise } from './api-promise.ts';
import { queryOf } from './lists.ts';
import { transportOf } from './options.ts';
import type { CallOptions, TransportOptions } from './options.ts';
import { newIdempotencyKey, send } from './send.ts';
import type { ApiResponse, Call } from './send.ts';
import { tagsHeader } from './tags.ts';
import type { Tags } from './tags.ts';
import { uploadsOf } from './uploads.ts';
import type { Uploads, UploadSource } from './uploads.ts';

export interface WarningContext {
  tool: ToolName;
  /** The id of the response that carries the warning. */
  id: string;
  provider: string;
}

export interface ClientOptions extends TransportOptions {
  /** A key that starts with sk_live_; TRIVIUM_API_KEY by default. */
  api_key?: string | undefined;
  /** Called for every warning, which says how a request was adjusted for its provider. */
  on_warning?: ((warning: Warning, context: WarningContext) => void) | undefined;
  /** Tags of every paid call, for the log, for usage and for budgets. */
  tags?: Tags | undefined;
}

export interface PostOptions extends CallOptions {
  /** Generated for each call unless given; pass your own to retry a call across restarts. */
  idempotency_key?: string | undefined;
  /** Refuse the request before any provider is called if it may cost more than this. */
  max_cost_usd?: number | undefined;
  /** Added to the tags of the client; one with the same name replaces it. */
  tags?: Tags | undefined;
}

export interface UsageFilters {
  /** The first day (2026-11-15), in UTC, or the first moment (2026-11-15T12:00:00Z). */
  from?: string | undefined;
  /** The last day, which is included, or the first moment after the range. */
  to?: string | undefined;
  /** By day, unless given; `tag:team` is by the values of the tag team. */
  by?: 'day' | 'tool' | 'provider' | 'key' | `tag:${string}` | undefined;
}

export interface JobFilters {
  status?: JobStatus | undefined;
  /** The most jobs of a page; 50 by default. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface CachedPostOptions extends PostOptions {
  /** Accept an answer from the cache that is at most this old; 0 uses no cache. */
  cache_seconds?: number | undefined;
}

export interface TranscribeOptions extends PostOptions {
  /** A public https URL that receives `job.completed` or `job.failed`, signed. */
  webhook?: string | undefined;
}
/** A recording that is not on the web is uploaded first. */
export type LocalTranscription = Omit<TranscriptionRequestInput, 'audio_url'> & {
  file: UploadSource;
};

export interface Client {
  search: (request: SearchRequestInput, options?: CachedPostOptions) => ApiPromise<SearchResponse>;
  extract: (
    request: ExtractRequestInput,
    options?: CachedPostOptions,
  ) => ApiPromise<ExtractResponse>;
  /** Resolves as soon as the job is accepted; wait for its end with `jobs.wait`. */
  transcribe: (
    request: TranscriptionRequestInput | LocalTranscription,
    options?: TranscribeOptions,
  ) => ApiPromise<TranscriptionAccepted>;
  /** Recordings on your disk; give the `audio_url` of one to `transcribe`. */
  uploads: Uploads;
  jobs: {
    get: (id: string, options?: CallOptions) => ApiPromise<Job>;
    /**
     * The document that the transcript was read from, as the provider sent it. `withResponse` has
     * its text, and headers that say whether the transcript is whole.
     */
    raw: (id: string, options?: CallOptions) => ApiPromise<RawDocument>;
    /** The newest first; awaited it is the first page, iterated over it is every job. */
    list: (filters?: JobFilters, options?: CallOptions) => PagePromise<OwnJobList, JobSummary>;
    wait: (id: string, options?: WaitOptions) => Promise<CompletedJob>;
  };
  /** What the account of the key has used, or the key alone if it is for its own use only. */
  usage: (filters?: UsageFilters, options?: CallOptions) => ApiPromise<OwnUsage>;
  balance: (options?: CallOptions) => ApiPromise<Balance>;
  /** What a request may cost, without making it. */
  estimate: (tool: ToolName, request: object, options?: CallOptions) => ApiPromise<Estimate>;
  providers: (options?: CallOptions) => ApiPromise<ProvidersResponse>;
}

/** Throws a ConfigurationError at once if the options cannot work. */
export function createClient(options: ClientOptions = {}): Client {
  const { api_key: value } = options;
  const transport = transportOf(options, {
    option: 'api_key',
    variable: 'TRIVIUM_API_KEY',
    value,
  });
  const { tags: everyTag = {} } = options;
  tagsHeader(everyTag);
  const warn = (tool: ToolName, answer: { id: string; provider: string; warnings: Warning[] }) => {
    const { id, provider, warnings } = answer;
    for (const warning of warnings) options.on_warning?.(warning, { tool, id, provider });
  };
  const postNow = async <T extends { id: string; provider: string; warnings: Warning[] }>(
    tool: ToolName,
    { path, shape }: Endpoint,
    body: unknown,
    given: TranscribeOptions & CachedPostOptions = {},
  ): Promise<ApiResponse<T>> => {
    const { idempotency_key = newIdempotencyKey(), max_cost_usd, tags, ...others } = given;
    const { webhook, cache_seconds, ...rest } = others;
    const headers = {
      ...(max_cost_usd === undefined ? {} : { 'x-max-cost-usd': usdText(max_cost_usd) }),
      ...(webhook === undefined ? {} : { 'x-trivium-webhook': webhook }),
      ...(cache_seconds === undefined ? {} : { 'x-trivium-cache': String(cache_seconds) }),
      ...tagsHeader({ ...everyTag, ...tags }),
    };
    const call = { method: 'POST', path, shape, body, headers, idempotency_key } as const;
    const response = await send<T>(transport, { ...call, ...rest });
    warn(tool, response.data);
    return response;
  };
  const post = <T extends { id: string; provider: string; warnings: Warning[] }>(
    ...call: Parameters<typeof postNow>
  ): ApiPromise<T> => apiPromise(postNow<T>(...call));
  const uploads = uploadsOf(transport);
  const transcribeFile = async (
    { file, ...request }: LocalTranscription,
    rest?: TranscribeOptions,
  ): Promise<ApiResponse<TranscriptionAccepted>> => {
    const { id, audio_url } = await uploads.create(file, { signal: rest?.signal });
    try {
      return await postNow('transcription', transcribeEndpoint, { ...request, audio_url }, rest);
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) {
        await uploads.delete(id).catch(() => undefined);
      }
      throw error;
    }
  };
  const get = <T>(endpoint: Endpoint, rest: CallOptions = {}) =>
    apiPromise(send<T>(transport, { method: 'GET', ...endpoint, ...rest }));
  const getJob = (id: string, rest?: CallOptions) =>
    get<Job>({ path: `/v1/jobs/${encodeURIComponent(id)}`, shape: jobShape }, rest);
  return {
    search: (request, rest) => post('search', searchEndpoint, request, rest),
    extract: (request, rest) => post('extract', extractEndpoint, request, rest),
    transcribe: (request, rest) =>
      'file' in request
        ? apiPromise(transcribeFile(request, rest))
        : post('transcription', transcribeEndpoint, request, rest),
    uploads,
    jobs: {
      get: getJob,
      raw: (id, rest = {}) => {
        const path = `/v1/jobs/${encodeURIComponent(id)}/raw`;
        const call = { method: 'GET', path, shape: {}, keeps_text: true, ...rest } as const;
        return apiPromise(send<RawDocument>(transport, call));
      },
      list: (filters = {}, rest = {}) =>
        pagePromise<OwnJobList, JobSummary>(
          (cursor = filters.cursor) => {
            const path = `/v1/jobs${queryOf({ ...filters, cursor })}`;
            return send(transport, { method: 'GET', path, shape: { jobs: 'list' }, ...rest });
          },
          (page) => page.jobs,
        ),
      wait: (id, rest) => waitForJob((signal) => getJob(id, { signal }), rest),
    },
    usage: (filters = {}, rest) =>
      get({ path: `/v1/usage${queryOf({ ...filters })}`, shape: { usage: 'list' } }, rest),
    balance: (rest) => get(balanceEndpoint, rest),
    estimate: (tool, body, rest) => {
      const path = `/v1/estimates/${encodeURIComponent(tool)}`;
      return apiPromise(
        send(transport, { method: 'POST', path, shape: estimateShape, body, ...rest }),
      );
    },
    providers: (rest) => get(providersEndpoint, rest),
  };
}

type Endpoint = Pick<Call, 'path' | 'shape'>;

const answerShape = { id: 'string', provider: 'string', warnings: 'list' } as const;
const searchEndpoint: Endpoint = {
  path: '/v1/search',
  shape: { ...answerShape, results: 'list' },
};
const extractEndpoint: Endpoint = {
  path: '/v1/extract',
  shape: { ...answerShape, results: 'list', failed: 'list' },
};
const transcribeEndpoint: Endpoint = { path: '/v1/transcriptions', shape: answerShape };
const estimateShape = { max_cost_usd: 'number' } as const;
const jobShape = { id: 'string', status: 'string', provider: 'string' } as const;
const balanceEndpoint: Endpoint = { path: '/v1/balance', shape: { balance_usd: 'number' } };
const providersEndpoint: Endpoint = { path: '/v1/providers', shape: { providers: 'list' } };

/** Plain digits with at most six decimals, as the header requires. */
function usdText(amount: number): string {
  return amount.toFixed(6).replace(/(?:\.|(?<![.0]))0+$/, '');
}
