// Deletes expired rows as fast as new ones are written, but in small steps, so that requests are
// served in between. SQLite then returns the space to the file system.
import { feedbackDays } from '@trivium/contract';
import { dayMs, hourMs, minuteMs } from '@trivium/contract/durations';
import {
  deleteExpiredAnswers,
  deleteExpiredCodes,
  deleteExpiredRefreshTokens,
  deleteExpiredSessions,
  deleteOldInvites,
} from '../accounts/index.ts';
import { deleteOldEntries } from '../audit/index.ts';
import {
  deleteEndedAnswers,
  deleteExpiredClaims,
  deleteExpiredTexts,
  deleteOldMinutes,
  deleteOldProviderHours,
  endOldLog,
  foldUsage,
  forgetAsked,
  makeLogPartitions,
  tooLargeRest,
} from '../requests/index.ts';
import { foldTagDays, foldTagUsage } from '../billing/index.ts';
import { dayOf, firstDayOfMonth, hourOf, minuteOf } from '../requests/core/index.ts';
import {
  deleteOldFeedback,
  deleteOldQualityDays,
  deleteOldQualityTotals,
} from '../quality/index.ts';
import { deleteOldDeliveries } from '../events/index.ts';
import { deleteOldCacheEntries } from '../cache/index.ts';
import type { Clock } from '../platform/clock.ts';
import { every, runCounted } from '../platform/every.ts';
import type { Repeated } from '../platform/every.ts';
import type { Log } from '../platform/log.ts';
import { logKeptMs, type Settings } from '../settings/index.ts';
import type { Database } from '../store/index.ts';
import { countFreePages, freePages } from '../store/opening.ts';

interface RetentionContext {
  database: Database;
  clock: Clock;
  log: Log;
  settings: Pick<
    Settings,
    | 'request_log_days'
    | 'request_log_hours'
    | 'audit_log_days'
    | 'cache_keep_hours'
    | 'webhook_log_days'
  >;
}

const everyMs = 5000;
const tidyEveryMs = 10 * minuteMs;
/** Partitions are created long before they are needed. */
const partitionsEveryMs = minuteMs;
/** One day longer than feedback on a search is accepted, for gateways whose clocks differ. */
const feedbackKeptMs = (feedbackDays + 1) * dayMs;
/** Two years: long enough to compare a season with the previous one. */
const qualityDaysKept = 731;
/** An account may have its queries and answers kept for an hour. */
const leastPolicyMs = hourMs;
/** A repeated code is recognised for this long. */
const codesKeptMs = hourMs;
/** A step of this size takes a few milliseconds. */
const stepRows = 200;
/** For long texts. */
const fewRows = 20;
const maxFoldedRows = 500;
/** Ended invitations are kept for a while, for people who ask why a link does not work. */
const invitesKeptMs = 30 * dayMs;
/** The dashboard shows the last day by hour. */
const hoursKept = 48;
/** The dashboard shows a provider by hour for 30 days. */
const providerHoursKept = 31 * 24;
/** Tolerates gateways whose clocks run behind. */
const minutesKept = 10;
/** Free pages that stay in the file, because new rows will soon need them. */
const freePagesKept = 1000;

/** Runs until it is stopped. Several gateways on one store may do this at the same time. */
export function startRetention(context: RetentionContext): Omit<Repeated, 'runNow'> {
  const stopped = new AbortController();
  const dueAt: DueTimes = new Map();
  const rounds = [
    every(everyMs, {
      name: 'retention',
      work: () => deleteExpired(context, stopped.signal, dueAt),
      onError: (error) =>
        context.log.warn(
          { err: error },
          'deleting expired rows failed; the next round tries again',
        ),
    }),
    every(partitionsEveryMs, {
      name: 'log_partitions',
      work: () => makePartitions(context),
      onError: (error) =>
        context.log.warn({ err: error }, 'the request log has no new partition yet'),
    }),
  ];
  return {
    stop: () => {
      for (const round of rounds) round.stop();
      stopped.abort();
    },
    ended: Promise.all(rounds.map(({ ended }) => ended)).then(() => undefined),
  };
}

/** Runs once before the first request, and then periodically. */
export async function makePartitions(
  { database, clock, settings, log }: RetentionContext,
  maxRestBytes?: number,
): Promise<void> {
  await makeLogPartitions(database, clock.now().getTime(), logKeptMs(settings));
  const megabytes = await tooLargeRest(database, maxRestBytes);
  if (megabytes === undefined) return;
  log.warn(
    { megabytes },
    'the default partition of the request log is too large for new partitions to be made',
  );
}

/** Rows of one kind that expire. */
interface Expiring {
  /** The name in the log and in the metrics. */
  kind: string;
  /** Deletes so many rows at most, and returns how many it found. */
  step: (rows: number) => Promise<number>;
  rows: number;
  /** How long to wait when little has expired. */
  pauseMs: number;
}

/** Rows stay at most a hundredth longer than they are kept for. */
function pauseFor(keptMs: number): number {
  return Math.min(tidyEveryMs, Math.max(everyMs, keptMs / 100));
}

function expiringRows({ database, clock, settings }: RetentionContext): Expiring[] {
  const now = clock.now().getTime();
  const logDaysMs = settings.request_log_days * dayMs;
  const oldest = now - logDaysMs;
  const keptMs = logKeptMs(settings);
  const webhookMs = settings.webhook_log_days * dayMs;
  const cacheMs = settings.cache_keep_hours * hourMs;
  const feedbackMs = Math.min(keptMs, feedbackKeptMs);
  const qualityDay = dayOf(now) - qualityDaysKept;
  const auditMs = settings.audit_log_days * dayMs;
  const kept = (kind: string, ms: number, step: Expiring['step'], rows = stepRows): Expiring => {
    return { kind, step, rows, pauseMs: pauseFor(ms) };
  };
  return [
    kept('claims', dayMs, (rows) => deleteExpiredClaims(database, now, rows)),
    kept('admin_answers', dayMs, (rows) => deleteExpiredAnswers(database, now, rows)),
    kept('logged_answers', leastPolicyMs, (rows) => deleteEndedAnswers(database, now, rows)),
    kept('request_log', keptMs, (rows) => endOldLog(database, now - keptMs, keptMs, rows)),
    kept('deliveries', webhookMs, (rows) => deleteOldDeliveries(database, now - webhookMs, rows)),
    kept('cache', cacheMs, (rows) => deleteOldCacheEntries(database, now - cacheMs, rows)),
    kept('feedback', feedbackMs, (rows) => deleteOldFeedback(database, now - feedbackMs, rows)),
    kept('quality_days', dayMs, (rows) => deleteOldQualityDays(database, qualityDay, rows)),
    kept('quality_totals', dayMs, (rows) => deleteOldQualityTotals(database, qualityDay, rows)),
    kept('queries', leastPolicyMs, (rows) => forgetAsked(database, now, rows)),
    kept('tag_usage', logDaysMs, (rows) => foldTagUsage(database, dayOf(oldest), rows)),
    // A monthly budget needs the days of its month.
    kept('tag_days', logDaysMs, (rows) =>
      foldTagDays(database, Math.min(dayOf(oldest), firstDayOfMonth(now)), rows),
    ),
    kept('codes', codesKeptMs, (rows) => deleteExpiredCodes(database, now - codesKeptMs, rows)),
    kept('refresh_tokens', dayMs, (rows) => deleteExpiredRefreshTokens(database, now, rows)),
    kept('provider_hours', dayMs, (rows) =>
      deleteOldProviderHours(database, hourOf(now) - providerHoursKept, rows),
    ),
    kept('audit_log', auditMs, (rows) => deleteOldEntries(database, now - auditMs, rows)),
    kept('kept_texts', dayMs, (rows) => deleteExpiredTexts(database, now, rows), fewRows),
    kept(
      'usage',
      dayMs,
      (rows) => foldUsage(database, hourOf(now) - hoursKept, rows),
      maxFoldedRows,
    ),
    kept('minutes', hourMs, (rows) =>
      deleteOldMinutes(database, minuteOf(now) - minutesKept, rows),
    ),
    ...(database.engine === 'sqlite'
      ? [kept('free_pages', hourMs, (pages) => freeStep(database, pages))]
      : []),
    kept('sessions', dayMs, () => deleteExpiredSessions(database, new Date(now).toISOString())),
    kept('invites', dayMs, () => deleteOldInvites(database, now - invitesKeptMs)),
  ];
}

/** When each kind of rows is looked for again. */
type DueTimes = Map<string, number>;

/**
 * Deletes everything that has expired, unless it is stopped earlier. `dueAt` is for the rounds of a
 * gateway: each kind of rows has a pause of its own, and none while much of it expires. A kind that
 * fails does not stop the others; the error at the end names it.
 */
export async function deleteExpired(
  context: RetentionContext,
  stopped?: AbortSignal,
  dueAt: DueTimes = new Map(),
): Promise<void> {
  const { clock } = context;
  const failures: { kind: string; error: unknown }[] = [];
  for (const { kind, step, rows, pauseMs } of expiringRows(context)) {
    if (clock.ticks() < (dueAt.get(kind) ?? 0)) continue;
    const steps = await runCounted({
      name: `retention_${kind}`,
      work: () => repeat(context, () => step(rows), stopped, rows),
      onError: (error) => failures.push({ kind, error }),
    });
    if (stopped?.aborted) return;
    dueAt.set(kind, steps === 1 ? clock.ticks() + pauseMs : 0);
  }
  const [first] = failures;
  if (!first) return;
  const kinds = failures.map(({ kind }) => kind).join(', ');
  throw new Error(`rows could not be deleted: ${kinds}`, { cause: first.error });
}

/**
 * Repeats until a step finds fewer rows than it may delete, and returns how many steps there were.
 * Pauses after each step for as long as the step took, so that a busy store gets longer pauses.
 */
async function repeat(
  { clock }: Pick<RetentionContext, 'clock'>,
  step: () => Promise<number>,
  stopped: AbortSignal | undefined,
  rows: number,
): Promise<number> {
  for (let steps = 1; !stopped?.aborted; steps += 1) {
    const began = clock.ticks();
    if ((await step()) < rows) return steps;
    await clock.sleep(clock.ticks() - began, stopped).catch(() => undefined);
  }
  return 0;
}

/** Returns how many free pages there were beyond those that are kept. */
async function freeStep(database: Database, pages: number): Promise<number> {
  const surplus = (await countFreePages(database)) - freePagesKept;
  if (surplus >= pages) await freePages(database, pages);
  return surplus;
}
