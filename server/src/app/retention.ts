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
import { every } from '../platform/every.ts';
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
  const onError = (error: unknown) =>
    context.log.warn({ err: error }, 'deleting expired rows failed; the next round tries again');
  const rounds = [
    every(everyMs, {
      name: 'retention',
      work: () => deleteExpired(context, stopped.signal),
      onError,
    }),
    every(partitionsEveryMs, {
      name: 'log_partitions',
      work: () => makePartitions(context),
      onError: (error) =>
        context.log.warn({ err: error }, 'the request log has no new partition yet'),
    }),
    every(tidyEveryMs, {
      name: 'retention_of_people',
      work: () => deleteOfPeople(context),
      onError,
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

/** Deletes everything that has expired, unless it is stopped earlier. */
export async function deleteExpired(
  context: RetentionContext,
  stopped?: AbortSignal,
): Promise<void> {
  const { database, clock, settings } = context;
  const now = clock.now().getTime();
  const oldest = now - settings.request_log_days * dayMs;
  const keptMs = logKeptMs(settings);
  const steps = [
    () => deleteExpiredClaims(database, now, stepRows),
    () => deleteExpiredAnswers(database, now, stepRows),
    () => deleteEndedAnswers(database, now, stepRows),
    () => endOldLog(database, now - keptMs, keptMs, stepRows),
    () => deleteOldDeliveries(database, now - settings.webhook_log_days * dayMs, stepRows),
    () => deleteOldCacheEntries(database, now - settings.cache_keep_hours * hourMs, stepRows),
    () => deleteOldFeedback(database, now - Math.min(keptMs, feedbackKeptMs), stepRows),
    () => deleteOldQualityDays(database, dayOf(now) - qualityDaysKept, stepRows),
    () => deleteOldQualityTotals(database, dayOf(now) - qualityDaysKept, stepRows),
    () => forgetAsked(database, now, stepRows),
    () => foldTagUsage(database, dayOf(oldest), stepRows),
    // A monthly budget needs the days of its month.
    () => foldTagDays(database, Math.min(dayOf(oldest), firstDayOfMonth(now)), stepRows),
    () => deleteExpiredCodes(database, now - codesKeptMs, stepRows),
    () => deleteExpiredRefreshTokens(database, now, stepRows),
    () => deleteOldProviderHours(database, hourOf(now) - providerHoursKept, stepRows),
    () => deleteOldEntries(database, now - settings.audit_log_days * dayMs, stepRows),
  ];
  for (const step of steps) await repeat(context, step, stopped);
  await repeat(context, () => deleteExpiredTexts(database, now, fewRows), stopped, fewRows);
  if (stopped?.aborted) return;
  await foldUsage(database, hourOf(now) - hoursKept, maxFoldedRows);
  await deleteOldMinutes(database, minuteOf(now) - minutesKept);
  if (database.engine !== 'sqlite') return;
  await repeat(context, () => freeStep(database), stopped);
}

/** Deletes expired rows of people: few rows, in small tables. */
export async function deleteOfPeople({ database, clock }: RetentionContext): Promise<void> {
  const now = clock.now();
  await deleteExpiredSessions(database, now.toISOString());
  await deleteOldInvites(database, now.getTime() - invitesKeptMs);
}

/**
 * Repeats until a step finds fewer rows than it may delete. Pauses after each step for as long as
 * the step took, so that a busy store gets longer pauses.
 */
async function repeat(
  { clock }: Pick<RetentionContext, 'clock'>,
  step: () => Promise<number>,
  stopped: AbortSignal | undefined,
  rows = stepRows,
): Promise<void> {
  while (!stopped?.aborted) {
    const began = clock.ticks();
    if ((await step()) < rows) return;
    await clock.sleep(clock.ticks() - began, stopped).catch(() => undefined);
  }
}

/** Returns how many free pages there were beyond those that are kept. */
async function freeStep(database: Database): Promise<number> {
  const surplus = (await countFreePages(database)) - freePagesKept;
  if (surplus >= stepRows) await freePages(database, stepRows);
  return surplus;
}
