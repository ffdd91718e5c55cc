// The parts of Brave's own MCP server that its package does not describe in types.
declare module '@brave/brave-search-mcp-server/dist/config.js' {
  const state: { braveApiKey: string };
  export { state as default };
}

declare module '@brave/brave-search-mcp-server/dist/tools/*/index.js' {
  type Content = { type: 'text'; text: string };
  export const execute: (
    params: Record<string, unknown>,
  ) => Promise<{ content: Content[]; isError?: boolean }>;
}
