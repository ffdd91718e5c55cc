// trivium mcp: serves the tools to an agent that starts this program and uses its standard streams.
import type { ContentMode } from '@trivium/contract';
import type { Command } from '../command.ts';
import { answerOptions } from '../paid.ts';

export const mcp: Command = {
  name: 'mcp',
  group: 'Development',
  summary: 'Serve the tools to an agent over standard input and output (MCP)',
  usage: '',
  examples: ['mcp'],
  options: { content: answerOptions.content },
  run: async (given, context) => {
    // Loaded only here, because it is by far the largest part of the program.
    const { serveOverStdio } = await import('../../mcp/stdio.ts');
    const contentMode = given.text('content') as ContentMode | undefined;
    await serveOverStdio(context.client(), context.signal, { contentMode });
  },
};
