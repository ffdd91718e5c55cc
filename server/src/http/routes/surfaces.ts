// Further interfaces of the gateway: documentation, MCP tools for agents, and drop-in APIs.
import type { ByteBudget } from '../../platform/byte-budget.ts';
import type { Dispatch } from '../dispatch.ts';
import type { Documentation } from './docs/doc-file.ts';
import type { BatchContext } from './compat/firecrawl-batch.ts';
import { compatRoutes } from './compat/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import type { Route } from '../route.ts';

interface Surfaces {
  /** To read what the drop-in APIs stored. */
  context: BatchContext & { bytes: ByteBudget };
  docs: Documentation;
  /** The colours and sizes of the dashboard, as a style sheet. */
  tokens: string;
  /** The provider of the drop-in APIs, unless a request names another. */
  compat_provider: string;
  public_url: string | undefined;
  /** Calls the public API, so that their requests are paid and logged like all others. */
  dispatch: Dispatch;
}

export function surfaceRoutes(surfaces: Surfaces): Route[] {
  const { context, docs, tokens, compat_provider, public_url, dispatch } = surfaces;
  return [
    ...docsRoutes(docs, tokens),
    ...mcpRoutes({ dispatch, publicUrl: public_url, bytes: context.bytes }),
    ...compatRoutes(context, compat_provider, dispatch),
  ];
}
