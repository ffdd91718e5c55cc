// What searching needs beside calling and charging.
import type { ToolContext } from '../upstream/context.ts';
import type { OverlapCounts } from './overlap-counts.ts';

export interface SearchContext extends ToolContext {
  /** Counts what the members of fusion panels have in common; absent where that is not kept. */
  overlap?: OverlapCounts;
}
