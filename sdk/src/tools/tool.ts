// A tool for agents as data: MCP and the AI SDK offer the same ones.
import type { Job } from '@trivium/contract';
import type { z } from 'zod';
import type { Client } from '../client.ts';

export interface ToolCall {
  client: Client;
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
