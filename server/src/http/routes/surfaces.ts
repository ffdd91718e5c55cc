// The other faces of the same gateway: its documentation, and the tools for agents.
import type { Route } from '../app.ts';
import type { Dispatch } from '../dispatch.ts';
import type { DocFile } from '../docs/doc-file.ts';
import { docsRoutes } from './docs.ts';
import { mcpRoutes } from './mcp.ts';

export interface Surfaces {
  docs: readonly DocFile[];
  /**
   * What they ask of the gateway goes through its own door, so that it is paid and logged alike.
   */
  dispatch: Dispatch;
}

export function surfaceRoutes({ docs, dispatch }: Surfaces): Route[] {
  return [...docsRoutes(docs), ...mcpRoutes(dispatch)];
}
