// A tool for agents as data: MCP and the AI SDK offer the same ones.
import type {
  ContentMode,
  ExtractRequestInput,
  ExtractResponse,
  FeedbackRequest,
  FeedbackResponse,
  Job,
  OwnJobList,
  ProvidersResponse,
  SearchRequestInput,
  SearchResponse,
  TranscriptionAccepted,
  TranscriptionRequestInput,
} from '@trivium/contract';
import type { z } from 'zod';
import type { ApiResponse } from '../send.ts';
import type { CachedPostOptions, PostOptions, ReadJobOptions } from '../client.ts';
import type { JobFilters } from '../filters.ts';

type Options = Pick<PostOptions, 'signal' | 'maxCostUsd'>;
type CheckedOptions = Pick<
  CachedPostOptions,
  'signal' | 'maxCostUsd' | 'contentMode' | 'maxTokens'
>;
type ReadJob = Pick<ApiResponse<Job>, 'data' | 'headers'>;
type ReadOptions = Pick<ReadJobOptions, 'signal' | 'contentMode'>;

/** The part of a client that the tools use; the gateway's own client makes no HTTP requests. */
export interface AgentClient {
  search: (request: SearchRequestInput, options?: CheckedOptions) => Promise<SearchResponse>;
  extract: (request: ExtractRequestInput, options?: CheckedOptions) => Promise<ExtractResponse>;
  transcribe: (
    request: TranscriptionRequestInput,
    options?: Options,
  ) => Promise<TranscriptionAccepted>;
  jobs: {
    get: (id: string, options?: ReadOptions) => { withResponse: () => Promise<ReadJob> };
    list: (filters?: JobFilters) => Promise<OwnJobList>;
  };
  feedback: (
    request: FeedbackRequest,
    options?: Pick<Options, 'signal'>,
  ) => Promise<FeedbackResponse>;
  providers: () => Promise<ProvidersResponse>;
}

export interface ToolCall {
  contentMode: ContentMode;
  client: AgentClient;
  signal?: AbortSignal | undefined;
  /** Called each time the state of a job has been read. */
  onProgress?: ((job: Job) => void) | undefined;
}

export const defaultContentMode: ContentMode = 'annotate';

/** Encloses untrusted texts in marks. */
export type Frame = (texts: readonly string[]) => string;

export interface AgentTool<Facts extends object, Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: z.ZodObject;
  annotations: { readOnlyHint: boolean; openWorldHint: boolean };
  /** A method, so that a tool with a specific input is assignable to a tool with any input. */
  run(input: z.output<Input>, call: ToolCall): Promise<Facts>;
  /** The same facts as short text for a model. */
  write(facts: Facts, frame: Frame): string;
}
