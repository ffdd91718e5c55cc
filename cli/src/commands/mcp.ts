// trivium mcp: serves the tools to an agent that starts this program and uses its standard streams.
import type { Command } from '../command.ts';
import { contentOption, readContentMode } from '../paid.ts';

export const mcp: Command = {
  name: 'mcp',
  group: 'Development',
  summary: 'Serve the tools to an agent over standard input and output (MCP)',
  usage: '',
  examples: ['mcp'],
  options: contentOption,
  run: async (given, context) => {
    // Loaded only here, because it is by far the largest part of the program.
    const { serveOverStdio } = await import('@trivium/sdk/mcp/stdio');
    const contentMode = readContentMode(given);
    await serveOverStdio(context.client(), context.signal, { contentMode });
  },
};
