// Offers a tool over the Model Context Protocol, with progress and errors that a model can read.
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { ContentMode, Job } from '@trivium/contract';
import { TriviumError } from '../errors.ts';
import { frameTexts } from '../frame.ts';
import { describeError } from '../tools/text.ts';
import type { AgentClient, AgentTool } from '../tools/tool.ts';

export interface McpOptions {
  /** What to do with suspicious content in text from the web. */
  contentMode: ContentMode;
  /** Creates the number in the marks around untrusted text, which no page can guess. */
  newMarker: () => string;
}

export function registerTool(
  server: McpServer,
  client: AgentClient,
  { contentMode, newMarker }: McpOptions,
  { name, title, description, input, output, annotations, run, write }: AgentTool<object>,
): void {
  const config = { title, description, inputSchema: input, outputSchema: output, annotations };
  server.registerTool(name, config, async (given, { mcpReq }): Promise<CallToolResult> => {
    const { signal } = mcpReq;
    const frame = (texts: readonly string[]) => frameTexts(texts, newMarker());
    try {
      const onProgress = progressTo(mcpReq);
      const facts = await run(given, { client, signal, onProgress, contentMode });
      return {
        content: [{ type: 'text', text: write(facts, frame) }],
        structuredContent: { ...facts },
      };
    } catch (error) {
      if (!(error instanceof TriviumError)) throw error;
      return { isError: true, content: [{ type: 'text', text: describeError(error, frame) }] };
    }
  });
}

/** Sends progress to a client that asked for it. */
function progressTo({ _meta, notify }: ServerContext['mcpReq']): (job: Job) => void {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return ({ status, attempt_status }) => {
    if (progressToken === undefined) return;
    progress += 1;
    const message = `${status}, ${attempt_status}`;
    const params = { progressToken, progress, message };
    // A disconnected client must not end the wait for the job.
    notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
