// The request schemas inside Brave's own MCP server, which publishes no types for them.
declare module '@brave/brave-search-mcp-server/dist/tools/*/params.js' {
  import type { z } from 'zod';
  export const params: z.ZodObject;
}
