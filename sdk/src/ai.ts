// The gateway's tools for the AI SDK (`ai`): pass them to generateText, streamText or an agent.
import type { Tool } from 'ai';
import type { Client } from './client.ts';
import { TriviumError } from './errors.ts';
import { frameTexts, newMarker } from './frame.ts';
import type {
  ExtractToolInput,
  ExtractToolOutput,
  GetJobToolInput,
  JobToolOutput,
  ReadAndSearchToolInput,
  ReadAndSearchToolOutput,
  ReportResultsToolInput,
  ReportResultsToolOutput,
  SearchToolInput,
  SearchToolOutput,
  ToolOptions,
  TranscribeToolInput,
} from './tool-types.ts';
import { getJobTool, transcribeTool } from './tools/job-tools.ts';
import { readAndSearchTool } from './tools/read-and-search.ts';
import { reportResultsTool } from './tools/report-results.ts';
import { describeError } from './tools/text.ts';
import { type AgentTool, defaultContentMode, type ToolCall } from './tools/tool.ts';
import { extractTool, searchTool } from './tools/web-tools.ts';

export type * from './tool-types.ts';

/**
 * The output of a tool, with the number in the marks around untrusted text that the model reads.
 */
export type Marked<Output> = Output & { marker: string };

export type TriviumTools = {
  search: Tool<SearchToolInput, Marked<SearchToolOutput>>;
  extract: Tool<ExtractToolInput, Marked<ExtractToolOutput>>;
  read_and_search: Tool<ReadAndSearchToolInput, Marked<ReadAndSearchToolOutput>>;
  transcribe: Tool<TranscribeToolInput, Marked<JobToolOutput>>;
  get_job: Tool<GetJobToolInput, Marked<JobToolOutput>>;
  report_results: Tool<ReportResultsToolInput, Marked<ReportResultsToolOutput>>;
};

/**
 * A failed call is a tool error, which the AI SDK passes on to the model. The model reads text with
 * untrusted parts between marks; the program gets the same content as data.
 */
export function triviumTools(client: Client, options: ToolOptions = {}): TriviumTools {
  const { contentMode = defaultContentMode } = options;
  const toolFor = <Input, Output extends object>(tool: AgentTool<Output>) =>
    toolOf<Input, Output>({ client, contentMode }, tool);
  return {
    search: toolFor(searchTool),
    extract: toolFor(extractTool),
    read_and_search: toolFor(readAndSearchTool),
    transcribe: toolFor(transcribeTool),
    get_job: toolFor(getJobTool),
    report_results: toolFor(reportResultsTool),
  };
}

function toolOf<Input, Output extends object>(
  call: Pick<ToolCall, 'client' | 'contentMode'>,
  { title, description, input, run, write }: AgentTool<Output>,
): Tool<Input, Marked<Output>> {
  const definition = {
    title,
    description,
    inputSchema: input,
    // The AI SDK has already parsed the input with the schema.
    execute: async (given: Record<string, unknown>, { abortSignal: signal }: Execution) => {
      try {
        return { ...(await run(given, { ...call, signal })), marker: newMarker() };
      } catch (error) {
        if (!(error instanceof TriviumError)) throw error;
        const frame = (texts: readonly string[]) => frameTexts(texts, newMarker());
        throw new TriviumError(describeError(error, frame), { cause: error });
      }
    },
    // Version 5 of the AI SDK passes only the output.
    toModelOutput: (given: Marked<Output> | { toolCallId: string; output: Marked<Output> }) => {
      const output = 'toolCallId' in given ? given.output : given;
      const value = write(output, (texts) => frameTexts(texts, output.marker));
      return { type: 'text' as const, value };
    },
  };
  // `tool` of the AI SDK only returns its argument, so it is not loaded for this.
  return definition as unknown as Tool<Input, Marked<Output>>;
}

type Execution = { abortSignal?: AbortSignal };
