// The other faces of the same gateway: documentation, tools for agents, shapes of other APIs.
import type { Route } from '../app.ts';
import type { Dispatch } from '../dispatch.ts';
import type { DocFile } from '../docs/doc-file.ts';
import { compatRoutes } from './compat.ts';
import { docsRoutes } from './docs.ts';
import { mcpRoutes } from './mcp.ts';

export interface Surfaces {
  docs: readonly DocFile[];
  /** Who serves the shapes of other APIs unless a request says so. */
  compat_provider: string;
  /** What they ask goes through the gateway's own door, so that it is paid and logged alike. */
  dispatch: Dispatch;
}

export function surfaceRoutes({ docs, compat_provider, dispatch }: Surfaces): Route[] {
  return [...docsRoutes(docs), ...mcpRoutes(dispatch), ...compatRoutes(compat_provider, dispatch)];
}
