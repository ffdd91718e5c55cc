// The measured quality of engines as a metric: read in the background, so that a scrape reads no
// table.
import type { Scorecard } from '@trivium/contract';
import type { Registry } from 'prom-client';
import { hasQualityDays, readScorecard } from '../quality/index.ts';
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

/** The figures are of weeks. */
const pauseMs = 600_000;
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
  return every(pauseMs, {
    name: 'engine_quality',
    startsNow: true,
    work: async () => {
      // The reader of the embedded store is a thread, which nothing is read from without a need.
      const isKnown = await hasQualityDays(context.database);
      lines = isKnown ? (await readScorecard(context, { by: 'provider', weeks })).lines : [];
    },
    onError: (error) => context.log.warn({ err: error }, 'the quality of engines was not read'),
  });
}
