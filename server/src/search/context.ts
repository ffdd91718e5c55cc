// What searching needs besides calling and charging.
import type { ToolContext } from '../upstream/index.ts';
import type { CacheContext } from '../cache/index.ts';
import type { ContentContext } from '../content/index.ts';
import type { OverlapCounts } from './overlap-counts.ts';

export interface SearchContext extends ToolContext, Pick<CacheContext, 'cache'>, ContentContext {
  /** Counts what the members of fusion panels have in common. Absent if that is not counted. */
  overlap?: OverlapCounts;
}
