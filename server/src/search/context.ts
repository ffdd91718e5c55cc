// What searching needs besides calling and charging.
import type { ToolContext } from '../upstream/index.ts';
import type { CacheContext } from '../cache/index.ts';
import type { ContentContext } from '../content/index.ts';
import type { Evidence, RoutingEvidence } from '../quality/index.ts';
import type { OverlapCounts } from './overlap-counts.ts';
import type { Shadows } from './shadows.ts';

export interface SearchContext extends ToolContext, Pick<CacheContext, 'cache'>, ContentContext {
  /** Counts what the members of fusion panels have in common. Absent if that is not counted. */
  overlap?: OverlapCounts;
  /** Compares the engines of panels; absent where that is not kept. */
  evidence?: Pick<Evidence, 'note'>;
  /** Absent unless `auto` chooses by quality. */
  routingEvidence?: RoutingEvidence;
  /** Repeats a share of the searches on other engines; absent unless the operator wants it. */
  shadows?: Pick<Shadows, 'offer'>;
}
