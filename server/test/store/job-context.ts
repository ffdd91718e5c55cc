// A complete job context on a test store. It is built from real settings, and no call leaves it.
import { makeLedger } from '../../src/billing/ledger.ts';
import { makeContentThread } from '../../src/content/use-thread.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { listPrices, providers } from '../../src/providers/registry.ts';
import type { Database } from '../../src/store/database.ts';
import { makeUnprovenBodies } from '../../src/transcription/receive-callback.ts';
import type { JobContext } from '../../src/transcription/job-context.ts';
import { makeLookupAnswers } from '../../src/transcription/look-up-job.ts';
import { jobRows } from '../../src/transcription/job-changes.ts';
import { createTranscriptReader } from '../../src/transcription/read-transcript.ts';
import { makeJobEnds } from '../../src/transcription/wait-for-end.ts';
import { makeUploadContext } from '../upload-context.ts';
import { configureProviders } from '../../src/upstream/context.ts';

export function makeJobContext(
  database: Database,
  owner: string,
  env: Readonly<Record<string, string>>,
): JobContext {
  const settings = readSettings(env, Object.values(providers));
  const clock = systemClock;
  const log = makeLog('silent');
  return {
    settings,
    clock,
    log,
    database,
    ledger: makeLedger({ database, clock, log, linkedRows: jobRows }),
    prices: listPrices,
    providers: configureProviders(settings, settings.upstreams, clock),
    send: () => Promise.reject(new Error('This test calls no provider.')),
    secret: 's',
    owner,
    reader: createTranscriptReader(),
    random: () => 0,
    nudge: () => undefined,
    lookupAnswers: makeLookupAnswers(clock),
    synchronous: new Set(),
    ends: makeJobEnds({ database, clock, log }),
    unproven: makeUnprovenBodies(() => 0),
    uploads: makeUploadContext(database),
    contentThread: makeContentThread(),
  };
}
