// The gateway's tools for the AI SDK (`ai`): pass them to generateText, streamText or an agent.
import type { Tool } from 'ai';
import type { Client } from './client.ts';
import { TriviumError } from './errors.ts';
import type {
  ExtractToolInput,
  ExtractToolOutput,
  GetJobToolInput,
  JobToolOutput,
  ReadAndSearchToolInput,
  ReadAndSearchToolOutput,
  SearchToolInput,
  SearchToolOutput,
  TranscribeToolInput,
} from './tool-types.ts';
import { getJobTool, transcribeTool } from './tools/job-tools.ts';
import { readAndSearchTool } from './tools/read-and-search.ts';
import { describeError } from './tools/text.ts';
import type { AgentTool } from './tools/tool.ts';
import { extractTool, searchTool } from './tools/web-tools.ts';

export type * from './tool-types.ts';

export type TriviumTools = {
  search: Tool<SearchToolInput, SearchToolOutput>;
  extract: Tool<ExtractToolInput, ExtractToolOutput>;
  read_and_search: Tool<ReadAndSearchToolInput, ReadAndSearchToolOutput>;
  transcribe: Tool<TranscribeToolInput, JobToolOutput>;
  get_job: Tool<GetJobToolInput, JobToolOutput>;
};

/** A failed call is an error of the tool, which the AI SDK passes on to the model. */
export function triviumTools(client: Client): TriviumTools {
  return {
    search: toolOf(client, searchTool),
    extract: toolOf(client, extractTool),
    read_and_search: toolOf(client, readAndSearchTool),
    transcribe: toolOf(client, transcribeTool),
    get_job: toolOf(client, getJobTool),
  };
}

function toolOf<Input, Output extends object>(
  client: Client,
  { title, description, input, run }: AgentTool<Output>,
): Tool<Input, Output> {
  const definition = {
    title,
    description,
    inputSchema: input,
    // The AI SDK has parsed the input with the schema.
    execute: async (given: Record<string, unknown>, { abortSignal: signal }: Execution) => {
      try {
        return (await run(given, { client, signal })).facts;
      } catch (error) {
        if (!(error instanceof TriviumError)) throw error;
        throw new TriviumError(describeError(error), { cause: error });
      }
    },
  };
  // `tool` of the AI SDK returns its argument; without it, nothing is loaded.
  return definition as unknown as Tool<Input, Output>;
}

type Execution = { abortSignal?: AbortSignal };
