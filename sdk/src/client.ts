// The client: one function for each endpoint of the gateway.
import type {
  Balance,
  ContentMode,
  Estimate,
  ExtractRequestInput,
  ExtractResponse,
  FeedbackRequest,
  FeedbackResponse,
  Job,
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
import type { ApiPromise } from './api-promise.ts';
import type { JobFilters, UsageFilters } from './filters.ts';
import { queryOf } from './lists.ts';
import type { List } from './lists.ts';
import { optionsOf, wireRequest } from './names.ts';
import type { EitherName, EitherOption, RequestOf } from './names.ts';
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
  /** A key that starts with sk_live_ or sk_test_; TRIVIUM_API_KEY by default. */
  apiKey?: string | undefined;
  /** Called for every warning. Warnings say how a request was adjusted for its provider. */
  onWarning?: ((warning: Warning, context: WarningContext) => void) | undefined;
  /** Tags of every paid call, for the log, for usage and for budgets. */
  tags?: Tags | undefined;
}

export interface PostOptions extends CallOptions {
  /** Generated for each call unless given; pass your own to retry a call across restarts. */
  idempotencyKey?: string | undefined;
  /** Refuse the request before any provider is called if it may cost more than this. */
  maxCostUsd?: number | undefined;
  /** Added to the tags of the client. A tag with the same name is replaced. */
  tags?: Tags | undefined;
}

/** The options of search and extraction. */
export interface CachedPostOptions extends PostOptions {
  /** Accept a cached answer that is at most this old; 0 disables the cache. */
  cacheSeconds?: number | undefined;
  /**
   * Checks text from the web for suspicious content: `annotate` reports it in warnings, `clean`
   * also removes hidden text and links that leak data, `block` removes the result.
   */
  contentMode?: ContentMode | undefined;
  /** The maximum number of tokens of all texts in the answer together, from 100 to 1,000,000. */
  maxTokens?: number | undefined;
}

export interface ReadJobOptions extends CallOptions {
  /** Checks the transcript; the header `x-trivium-content-signals` says what was found. */
  contentMode?: ContentMode | undefined;
}

export interface TranscribeOptions extends PostOptions {
  /** A public https URL that receives the signed event `job.completed` or `job.failed`. */
  webhook?: string | undefined;
}

export type SearchInput = RequestOf<SearchRequestInput>;
export type ExtractInput = RequestOf<ExtractRequestInput>;
export type TranscriptionInput = RequestOf<TranscriptionRequestInput>;
/** A local recording, which is uploaded first. */
export type LocalTranscription = RequestOf<Omit<TranscriptionRequestInput, 'audio_url'>> & {
  file: UploadSource;
};

/** Estimates the cost of a request without sending it. */
export interface EstimateCall {
  (tool: 'search', request: SearchInput, options?: Options): ApiPromise<Estimate>;
  (tool: 'extract', request: ExtractInput, options?: Options): ApiPromise<Estimate>;
  (tool: 'transcription', request: TranscriptionInput, options?: Options): ApiPromise<Estimate>;
}

type Options = EitherOption<CallOptions>;
type CheckedOptions = EitherOption<CachedPostOptions>;

/** Requests and options may be named in camelCase or in snake_case; answers are as on the wire. */
export interface Client {
  search: (request: SearchInput, options?: CheckedOptions) => ApiPromise<SearchResponse>;
  extract: (request: ExtractInput, options?: CheckedOptions) => ApiPromise<ExtractResponse>;
  /** Resolves as soon as the job is accepted. Wait for the transcript with `jobs.wait`. */
  transcribe: (
    request: TranscriptionInput | LocalTranscription,
    options?: EitherOption<TranscribeOptions>,
  ) => ApiPromise<TranscriptionAccepted>;
  /** Uploads local recordings. Pass the `audio_url` of an upload to `transcribe`. */
  uploads: Uploads;
  jobs: {
    get: (id: string, options?: EitherOption<ReadJobOptions>) => ApiPromise<Job>;
    /**
     * The provider's document that the transcript was made from, as the provider sent it.
     * `withResponse` has its text, and headers that say whether the transcript is complete.
     */
    raw: (id: string, options?: Options) => ApiPromise<RawDocument>;
    /** Newest first. Await it to get the first page, or iterate over it to get every job. */
    list: List<OwnJobList, JobSummary, JobFilters>;
    wait: (id: string, options?: EitherOption<WaitOptions>) => Promise<CompletedJob>;
  };
  /** The usage of the key's account, or of the key alone if it may see only its own usage. */
  usage: (filters?: EitherName<UsageFilters>, options?: Options) => ApiPromise<OwnUsage>;
  balance: (options?: Options) => ApiPromise<Balance>;
  estimate: EstimateCall;
  /**
   * Reports which results of a search were useful. Free; possible for seven days after the search.
   */
  feedback: (
    request: EitherName<FeedbackRequest>,
    options?: Options,
  ) => ApiPromise<FeedbackResponse>;
  providers: (options?: Options) => ApiPromise<ProvidersResponse>;
}

/** Throws a ConfigurationError immediately if the options are invalid. */
export function createClient(given: EitherOption<ClientOptions> = {}): Client {
  const options = optionsOf<ClientOptions>(given);
  const transport = transportOf(options, {
    option: 'apiKey',
    variable: 'TRIVIUM_API_KEY',
    value: options.apiKey,
  });
  const { tags: everyTag = {} } = options;
  tagsHeader(everyTag);
  const warn = (tool: ToolName, answer: { id: string; provider: string; warnings: Warning[] }) => {
    const { id, provider, warnings } = answer;
    for (const warning of warnings) options.onWarning?.(warning, { tool, id, provider });
  };
  const postNow = async <T extends { id: string; provider: string; warnings: Warning[] }>(
    tool: ToolName,
    { path, shape }: Endpoint,
    body: object,
    given: EitherOption<TranscribeOptions & CachedPostOptions> = {},
  ): Promise<ApiResponse<T>> => {
    const {
      idempotencyKey = newIdempotencyKey(),
      maxCostUsd,
      tags,
      ...others
    } = optionsOf<TranscribeOptions & CachedPostOptions>(given);
    const { webhook, cacheSeconds, contentMode, maxTokens, ...rest } = others;
    const headers = {
      ...(maxCostUsd === undefined ? {} : { 'x-max-cost-usd': usdText(maxCostUsd) }),
      ...(webhook === undefined ? {} : { 'x-trivium-webhook': webhook }),
      ...(cacheSeconds === undefined ? {} : { 'x-trivium-cache': String(cacheSeconds) }),
      ...contentHeader(contentMode),
      ...(maxTokens === undefined ? {} : { 'x-trivium-max-tokens': String(maxTokens) }),
      ...tagsHeader({ ...everyTag, ...tags }),
      ...rest.headers,
    };
    const call = { method: 'POST', path, shape, body: wireRequest(body), idempotencyKey } as const;
    const response = await send<T>(transport, { ...call, ...rest, headers });
    warn(tool, response.data);
    return response;
  };
  const post = <T extends { id: string; provider: string; warnings: Warning[] }>(
    ...call: Parameters<typeof postNow>
  ): ApiPromise<T> => apiPromise(postNow<T>(...call));
  const uploads = uploadsOf(transport);
  const transcribeFile = async (
    { file, ...request }: LocalTranscription,
    rest?: EitherOption<TranscribeOptions>,
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
  const get = <T>(endpoint: Endpoint, rest?: Options) =>
    apiPromise(send<T>(transport, { method: 'GET', ...endpoint, ...optionsOf<CallOptions>(rest) }));
  const getJob = (id: string, given?: EitherOption<ReadJobOptions>) => {
    const { contentMode, ...rest } = optionsOf<ReadJobOptions>(given);
    const headers = { ...contentHeader(contentMode), ...rest.headers };
    const path = `/v1/jobs/${encodeURIComponent(id)}`;
    return get<Job>({ path, shape: jobShape }, { ...rest, headers });
  };
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
      raw: (id, rest) => {
        const path = `/v1/jobs/${encodeURIComponent(id)}/raw`;
        return get<RawDocument>({ path, shape: {}, keepsText: true }, rest);
      },
      list: (filters = {}, rest) =>
        pagePromise<OwnJobList, JobSummary>(
          (cursor = filters.cursor) => {
            const path = `/v1/jobs${queryOf({ ...filters, cursor })}`;
            return get<OwnJobList>({ path, shape: { jobs: 'list' } }, rest).withResponse();
          },
          (page) => page.jobs,
        ),
      wait: (id, given) => {
        const { contentMode, ...rest } = optionsOf<WaitOptions>(given);
        return waitForJob((signal) => getJob(id, { signal, contentMode }), rest);
      },
    },
    usage: (filters = {}, rest) =>
      get({ path: `/v1/usage${queryOf(filters)}`, shape: { usage: 'list' } }, rest),
    balance: (rest) => get(balanceEndpoint, rest),
    estimate: (tool: ToolName, request: object, rest?: Options) => {
      const path = `/v1/estimates/${encodeURIComponent(tool)}`;
      const call = { method: 'POST', path, shape: estimateShape } as const;
      return apiPromise(
        send<Estimate>(transport, {
          ...call,
          body: wireRequest(request),
          ...optionsOf<CallOptions>(rest),
        }),
      );
    },
    feedback: (request, rest) =>
      apiPromise(
        send<FeedbackResponse>(transport, {
          ...feedbackCall,
          body: wireRequest(request),
          ...optionsOf<CallOptions>(rest),
        }),
      ),
    providers: (rest) => get(providersEndpoint, rest),
  };
}

type Endpoint = Pick<Call, 'path' | 'shape' | 'keepsText'>;

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
const feedbackCall = {
  method: 'POST',
  path: '/v1/feedback',
  shape: { search_id: 'string', unknown: 'list' },
} as const;
const jobShape = { id: 'string', status: 'string', provider: 'string' } as const;
const balanceEndpoint: Endpoint = { path: '/v1/balance', shape: { balance_usd: 'number' } };
const providersEndpoint: Endpoint = { path: '/v1/providers', shape: { providers: 'list' } };

function contentHeader(mode: ContentMode | undefined): Record<string, string> {
  return mode === undefined ? {} : { 'x-trivium-content': mode };
}

/** Plain digits with at most six decimals, as the header requires. */
function usdText(amount: number): string {
  return amount.toFixed(6).replace(/(?:\.|(?<![.0]))0+$/, '');
}
