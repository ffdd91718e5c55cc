// Makes the totals of what was observed of engines in the background, and shows them as a metric, so
// that neither a scorecard nor a scrape reads the rows of all accounts.
import type { Scorecard } from '@trivium/contract';
import type { Registry } from 'prom-client';
import { hasTotals, readScorecard, totalQuality } from '../quality/index.ts';
import type { Clock } from '../platform/clock.ts';
import { every } from '../platform/every.ts';
import type { Repeated } from '../platform/every.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../store/index.ts';
import { registerGauge } from './metrics.ts';

interface MeasureContext {
  database: Database;
  clock: Clock;
  log: Log;
}

const pauseMs = 60_000;
/** The pause after a round is at least so many times as long as the round. */
const restFactor = 100;
/** What other gateways have added up is read less often: the figures are of weeks. */
const roundsBetweenReads = 10;
const weeks = 4;

export function startMeasuring(context: MeasureContext, registry: Registry): Repeated {
  let lines: Scorecard['lines'] = [];
  const figures = ['mean', 'lower', 'upper'] as const;
  registerGauge(registry, {
    name: 'trivium_engine_quality',
    aggregator: 'max',
    help: 'Quality of an engine over four weeks, from 0 to 1, by agreement or feedback.',
    labelNames: ['provider', 'source', 'figure'],
    read: () =>
      lines.flatMap(({ provider, agreement, feedback }) =>
        Object.entries({ agreement, feedback }).flatMap(([source, quality]) =>
          figures.flatMap((figure) =>
            quality ? [{ labels: { provider, source, figure }, value: quality[figure] }] : [],
          ),
        ),
      ),
  });
  let round = 0;
  return every(pauseMs, {
    name: 'engine_quality',
    startsNow: true,
    work: async () => {
      const began = context.clock.ticks();
      const changed = await totalQuality(context);
      const isDue = changed > 0 || round % roundsBetweenReads === 0;
      round += 1;
      // The reader of the embedded store is a thread, which nothing is read from without a need.
      if (isDue && (await hasTotals(context.database))) {
        ({ lines } = await readScorecard(context, { by: 'provider', weeks }));
      }
      return { pauseMs: Math.max(pauseMs, restFactor * (context.clock.ticks() - began)) };
    },
    onError: (error) => context.log.warn({ err: error }, 'the quality of engines was not read'),
  });
}
