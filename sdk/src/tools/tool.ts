// A tool for agents as data: MCP and the AI SDK offer the same ones.
import type {
  ExtractRequestInput,
  ExtractResponse,
  Job,
  OwnJobList,
  ProvidersResponse,
  SearchRequestInput,
  SearchResponse,
  TranscriptionAccepted,
  TranscriptionRequestInput,
} from '@trivium/contract';
import type { z } from 'zod';
import type { CachedPostOptions } from '../client.ts';
import type { JobFilters } from '../filters.ts';

type Options = Pick<CachedPostOptions, 'signal' | 'maxCostUsd'>;

/** What the tools use of a client; the gateway has one that makes no HTTP requests. */
export interface AgentClient {
  search: (request: SearchRequestInput, options?: Options) => Promise<SearchResponse>;
  extract: (request: ExtractRequestInput, options?: Options) => Promise<ExtractResponse>;
  transcribe: (
    request: TranscriptionRequestInput,
    options?: Options,
  ) => Promise<TranscriptionAccepted>;
  jobs: {
    get: (id: string, options?: Pick<Options, 'signal'>) => Promise<Job>;
    list: (filters?: JobFilters) => Promise<OwnJobList>;
  };
  providers: () => Promise<ProvidersResponse>;
}

export interface ToolCall {
  client: AgentClient;
  signal?: AbortSignal | undefined;
  /** Called whenever the state of a job was read. */
  onProgress?: ((job: Job) => void) | undefined;
}

/** The same facts twice: as short text for a model, and as data. */
export interface ToolResult<Facts> {
  text: string;
  facts: Facts;
}

export interface AgentTool<Facts extends object, Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: z.ZodObject;
  annotations: { readOnlyHint: boolean; openWorldHint: boolean };
  /** A method, so that a tool with its own input is also a tool with any input. */
  run(input: z.output<Input>, call: ToolCall): Promise<ToolResult<Facts>>;
}
