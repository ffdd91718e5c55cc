// What searching needs from the application.
import type { SearchRequest } from '@trivium/contract';
import type { BillingContext, Done } from '../billing/index.ts';
import type { Cache } from '../cache/index.ts';
import type { ContentContext } from '../content/index.ts';
import type { Evidence, RoutingEvidence } from '../quality/index.ts';
import type { CurrentRequest, ServiceMetrics } from '../requests/index.ts';
import type { Settings } from '../settings/index.ts';
import type { UpstreamContext } from '../upstream/index.ts';
import type { OverlapCounts } from './overlap.ts';

export interface SearchContext extends UpstreamContext, BillingContext, ContentContext {
  /** Absent if no answers are cached. */
  cache?: Cache;
  metrics?: ServiceMetrics;
  settings: Settings;
  /** Counts what the members of fusion panels have in common. Absent if that is not counted. */
  overlap?: OverlapCounts;
  /** Compares the engines of panels. Absent where that is not stored. */
  evidence?: Pick<Evidence, 'note'>;
  /** Absent unless `auto` chooses by quality. */
  routingEvidence?: RoutingEvidence;
  /** Repeats a share of the searches on other engines. Absent unless the operator wants it. */
  shadows?: Pick<Shadows, 'offer'>;
}

export interface Shadows {
  /**
   * Chooses by chance, and returns at once. Without `done` the search failed: it is not repeated,
   * and the failures of its engines are counted.
   */
  offer: (request: SearchRequest, currentRequest: CurrentRequest, done?: Done) => void;
  /** Repeats no more searches, and drops those that wait. */
  stop: () => void;
  counts: () => Record<'asked' | 'failed' | 'refused' | 'dropped', number>;
}
