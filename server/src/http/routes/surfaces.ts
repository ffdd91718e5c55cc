// Further interfaces of the gateway: documentation, MCP tools for agents, and drop-in APIs.
import type { McpContext } from './mcp/agent-client.ts';
import type { Documentation } from './docs/doc-file.ts';
import { compatRoutes } from './compat/routes.ts';
import type { CompatContext } from './compat/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import type { Route } from '../route.ts';

interface Surfaces extends Pick<McpContext, 'paid' | 'enterRead' | 'describe'> {
  context: McpContext['context'] & CompatContext;
  docs: Documentation;
  /** The colours and sizes of the dashboard, as a style sheet. */
  tokens: string;
  /** The provider of the drop-in APIs, unless a request names another. */
  compat_provider: string;
  public_url: string | undefined;
}

export function surfaceRoutes(surfaces: Surfaces): Route[] {
  const { docs, tokens, compat_provider, public_url, ...rest } = surfaces;
  return [
    ...docsRoutes(docs, tokens),
    ...mcpRoutes(rest, public_url),
    ...compatRoutes(rest.context, compat_provider, rest.paid),
  ];
}
