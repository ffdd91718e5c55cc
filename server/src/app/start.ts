// The composition root: builds the gateway from its settings, starts it, and stops it in order.
// Tests start real gateways through the same function.
import {
  checkSandboxIsMeant,
  type Authenticator,
  makeAuthenticator,
  prepareSetUp,
} from '../accounts/index.ts';
import {
  makeAnswerLog,
  makeUnchargedAnswers,
  makeRefusals,
  makeStoredBytes,
  type ServiceMetrics,
} from '../requests/index.ts';
import { makeLedger, makeStoppedAccounts, tagBytes } from '../billing/index.ts';
import { makeContentThread } from '../content/index.ts';
import { makeCache } from '../cache/index.ts';
import { makeRoutes } from '../http/index.ts';
import { makeByteBudget } from '../platform/byte-budget.ts';
import { systemClock } from '../platform/clock.ts';
import { type Repeated, every } from '../platform/every.ts';
import { registerRepeated } from '../platform/metrics.ts';
import { send } from '../platform/http-client.ts';
import { makeLog } from '../platform/log.ts';
import type { Settings } from '../settings/index.ts';
import { stopLimitMs } from '../platform/time-limits.ts';
import { providers as registry } from '../providers/index.ts';
import { followStoreClock, openStore, openWriteGate, watchStoreAge } from '../store/opening.ts';
import {
  discoverVendorSettings,
  jobRows,
  startJobs,
  transcriptBytes,
} from '../transcription/index.ts';
import { startSweepingUploads, uploadBytes } from '../uploads/index.ts';
import { makeOverlapCounts, registerOverlap, shareOf } from '../search/index.ts';
import { makeEvidence } from '../quality/index.ts';
import { configureProviders } from '../upstream/index.ts';
import { choosePrices } from './choose-prices.ts';
import { storeThread } from './store-thread-url.ts';
import type { AppContext } from './context.ts';
import { makeIncidents } from './follow-incidents.ts';
import { openListeners } from './listeners.ts';
import { registerContentTotals, registerGauges, startCounting, startMeasuring } from './gauges.ts';
import {
  type Observability,
  makeObservability,
  makeServiceMetrics,
  reportUnbooked,
} from './observability.ts';
import { openRouting, openShadows, openUploads } from './optional-parts.ts';
import { type FirstRows, prepareRows } from './prepare-rows.ts';
import { makeHttpContext, openDashboardAuth } from './http-context.ts';
import { type Readiness, makeReadiness } from './readiness.ts';
import { makePartitions, startRetention, startSweeping, sweepAtStart } from './retention.ts';
import { chooseUpstreams, sandboxExtras } from './sandbox-mode.ts';
import { followSimulated } from './simulated-providers.ts';
import type { Supervised } from './processes/supervised.ts';
import { type StopOptions, makeStop } from './shutdown.ts';
import { startUpLines, unshownLines } from './start-up-lines.ts';
import { startEvents } from './start-events.ts';

export interface Gateway {
  url: string;
  /** Resolves with the reason if the gateway can no longer serve and must end. */
  failed: Promise<string>;
  stop: (options?: StopOptions) => Promise<void>;
}

/** How often a gateway checks whether another one changed or revoked a key. */
const refreshKeysEveryMs = 500;
/** How often what was observed of engines is compared and counted. */
const countEvidenceEveryMs = 2000;
/** How often routing by quality reads what is known of engines. */
const readEvidenceEveryMs = 60_000;
/** How often the time of a key's last use is written. */
const noteKeyUsesEveryMs = 60_000;
/** So that answers of simulated vendors cannot be mistaken for real ones. */
const sandboxHeader = { 'x-trivium-sandbox': 'true' };
/** Browsers that reached the gateway over https must not use http again. */
const strictTransportSecurity = { 'strict-transport-security': 'max-age=31536000' };

export async function startGateway(
  settings: Settings,
  print: (text: string) => void,
  supervised?: Supervised,
): Promise<Gateway> {
  const created: Created = {};
  return open([settings, print, supervised], created).catch((error: unknown) => {
    if (created.first) print(unshownLines(created.first));
    throw error;
  });
}

/** What is new in the store, even if the start fails afterwards. */
interface Created {
  first?: FirstRows;
}

type Start = Parameters<typeof startGateway>;

async function open([settings, print, supervised]: Start, created: Created): Promise<Gateway> {
  const log = makeLog(settings.log_level, supervised?.number);
  checkSandboxIsMeant(settings);
  const { unknown_names } = settings;
  if (unknown_names.length > 0) log.warn({ unknown_names }, 'some variables are not settings');
  const observability = makeObservability(settings, log);
  const prices = choosePrices(settings.prices);
  const metrics = makeServiceMetrics(observability.metrics, log);
  const stopped = makeStoppedAccounts(log, metrics.brokenRule);
  const store = await openStore(
    settings,
    storeThread,
    systemClock.now(),
    reportUnbooked(metrics, log, stopped),
    log,
  );
  const { database } = store;
  const storeClock = await followStoreClock(database, systemClock, log);
  const storeAge = await watchStoreAge(store, settings.data_dir, log);
  const [{ clock }, declared] = [storeClock, Object.values(registry)];
  const own: { url?: string } = {};
  const { upstreams, sandbox } = await chooseUpstreams(
    settings,
    declared,
    () => own.url,
    supervised,
  );
  const providers = configureProviders(settings, upstreams, clock);
  const writes = await openWriteGate({ database, clock, log, settings });
  const incidents = makeIncidents({ database, clock, log, providers });
  const { results } = incidents;
  const stores = { database, writes, stopped };
  const parts = { settings, clock, log, prices, providers, metrics, results, ...stores };
  const dashboardUrl = () => settings.public_url ?? listeners.dashboardUrl;
  const routing = await openRouting(parts);
  const base = makeContext({ ...parts, ...routing, dashboardUrl }, observability);
  const fromSandbox = sandbox && sandboxExtras(sandbox, settings);
  const { extras, messages: vendorNotes } = fromSandbox
    ? { extras: fromSandbox, messages: {} }
    : await discoverVendorSettings(base);
  const context: AppContext = { ...base, settings: { ...settings, extras } };

  const first = await prepareRows(database, settings, store.secret, clock.now());
  created.first = first;
  const authenticator = makeAuthenticator(database, clock);
  const dashboardAuth = openDashboardAuth(context, store.secret);
  const setUpToken = await prepareSetUp(context, store.secret);

  if (database.engine === 'sqlite') await sweepAtStart(context);
  // Without a partition, rows go to the default one, so this may fail now.
  await makePartitions(context).catch((error: unknown) => {
    log.warn({ err: error }, 'the request log has no new partition yet');
  });
  await context.ledger.open();
  const uploads = openUploads(context, store.secret, () => listeners.url);
  const sweepers = [startSweeping(context), startRetention(context), startSweepingUploads(uploads)];
  const events = startEvents(context, store.secret, observability.metrics, results.deliveries);
  const following = incidents.start();
  const simulated = await followSimulated(context);
  const jobs = startJobs({ ...context, uploads }, store.secret, events.context.nudge);
  const synchronizers = synchronize(authenticator, context, observability);

  const readiness = makeReadiness(database, clock, storeClock.offsetMs, writes.reason);
  const { failed, watch } = watchStore(store, readiness);
  const headers = {
    ...(settings.public_url?.startsWith('https:') ? strictTransportSecurity : {}),
    ...(sandbox ? sandboxHeader : {}),
  };
  const http = makeHttpContext(context, {
    ...{ authenticator, jobs: jobs.context, events: events.context, dashboardAuth, headers },
    readiness: { check: readiness.check, renderMetrics: metricsOf(observability, supervised) },
    observe: observability.observeRequest,
    ...{ secret: store.secret, simulated },
    sandboxHosts: sandbox ? [new URL(sandbox.url).host] : [],
  });
  const shadows = openShadows(context, http, observability.metrics);
  if (shadows) context.shadows = shadows;
  const listeners = openListeners(http, makeRoutes(http), (supervised?.count ?? 1) > 1);
  own.url = listeners.url;
  print(
    startUpLines({
      ...{ context, url: listeners.url, store: store.name, sandbox: sandbox?.url },
      listeners: listeners.others,
      ...first,
      setUpToken,
      dashboardUrl: listeners.dashboardUrl,
      vendorNotes,
      storeWarning: storeAge.warning,
      processes: supervised?.count ?? 1,
    }),
  );
  return {
    url: listeners.url,
    failed,
    stop: makeStop({
      ...{ clock, readiness, listeners, jobs, authenticator, ledger: context.ledger },
      ...{ headers, limitMs: stopLimitMs(settings.provider_queue_ms) },
      limiter: http.limiters.all,
      background: [
        shadows,
        watch,
        ...synchronizers,
        storeClock,
        storeAge,
        writes,
        following,
        simulated,
        ...sweepers,
      ],
      closing: [
        () => context.evidence.flush().catch(() => undefined),
        () => incidents.flush().catch(() => undefined),
        () => context.answers?.flush(),
        events.stop,
        observability.stop,
        () => sandbox?.stop(),
        store.close,
      ],
    }),
  };
}

/** Any of several processes answers for all of them. */
function metricsOf({ metrics }: Observability, supervised: Supervised | undefined) {
  return supervised?.shareMetrics(() => metrics.registry.getMetricsAsJSON()) ?? metrics.render;
}

function watchStore(store: Awaited<ReturnType<typeof openStore>>, readiness: Readiness) {
  const { promise: failed, resolve } = Promise.withResolvers<string>();
  const watch = store.watch?.((reason) => {
    readiness.end('The store is gone.');
    resolve(reason);
  });
  return { failed, watch };
}

type ContextParts = Omit<
  AppContext,
  'evidence' | 'send' | 'ledger' | 'cache' | 'bytes' | 'stored' | 'contentThread'
> & {
  metrics: ServiceMetrics;
};

function makeContext(parts: ContextParts, observability: Observability): AppContext {
  const booked = makeLedger({
    ...parts,
    onBatch: parts.metrics.batch,
    onRefused: parts.writes.noteRefusal,
    onFailed: reportUnbooked(parts.metrics, parts.log, parts.stopped),
    linkedRows: jobRows,
  });
  const ledger = observability.observeLedger(booked);
  const cache = makeCache(parts);
  const bytes = makeByteBudget(
    parts.settings.max_bytes_in_progress_mb * 1024 * 1024,
    systemClock.ticks,
  );
  const overlap = makeOverlapCounts();
  const overlapShare = (one: string, other: string, accountId: string) =>
    shareOf(overlap, one, other, accountId);
  const evidence = makeEvidence(parts, overlapShare);
  const uncharged = makeUnchargedAnswers(parts.clock);
  const refusals = makeRefusals(parts);
  const answers = makeAnswerLog(parts);
  const storedColumns = { uploads: uploadBytes, transcripts: transcriptBytes, tags: tagBytes };
  const stored = makeStoredBytes(parts, storedColumns, parts.settings.max_stored_mb);
  const sent = { overlap, send: observability.observeSend(send) };
  const contentThread = makeContentThread();
  const limits = { bytes, refusals, stored, contentThread };
  const made = { ledger, cache, uncharged, answers, evidence, ...limits, ...sent };
  const context: AppContext = { ...parts, ...made };
  registerOverlap(observability.metrics, overlap);
  registerContentTotals(observability.metrics, contentThread);
  return context;
}

function synchronize(
  { refresh, noteUses }: Authenticator,
  context: AppContext,
  { metrics }: Observability,
): Repeated[] {
  const { database, cache, log } = context;
  const { counts, ...counting } = startCounting(context);
  registerGauges(metrics.registry, { ...context, counts });
  registerRepeated(metrics);
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message);
  const keysUnknown = warn('keys could not be synchronised');
  return [
    counting,
    startMeasuring(context, metrics.registry),
    every(countEvidenceEveryMs, {
      name: 'evidence',
      work: context.evidence.flush,
      onError: warn('what was observed of engines was not counted yet'),
    }),
    ...(context.routingEvidence
      ? [
          every(readEvidenceEveryMs, {
            name: 'routing_evidence',
            work: context.routingEvidence.refresh,
            onError: warn('what is known of engines was not read'),
          }),
        ]
      : []),
    every(refreshKeysEveryMs, { name: 'keys', work: refresh, onError: keysUnknown }),
    every(noteKeyUsesEveryMs, { name: 'key_uses', work: noteUses, onError: keysUnknown }),
    // No other gateway uses an embedded store, so nothing else could empty the cache.
    ...(database.engine === 'sqlite'
      ? []
      : [
          every(refreshKeysEveryMs, {
            name: 'cache',
            work: cache.refresh,
            onError: warn('the cache was not synchronised'),
          }),
        ]),
  ];
}
