// What the judge says about limits: caps, policies, deadlines, the time of an answer, and rows.
import type { Row } from '../../../src/store/database.ts';
import { subjectOf } from './callers/caller.ts';
import type { Try, Wish } from './callers/caller.ts';
import { isStatus, isWorkOf } from './evidence.ts';
import { epochMs } from './machine.ts';
import type { Evidence, Line } from './evidence.ts';
import { faultsIn } from './inspect.ts';
import { slowKinds } from './plan.ts';
import type { VendorJob } from '../vendor-job.ts';
import { cappedUsd } from './template.ts';

type Rows = (text: string) => Row[];

export function judgeLimits(evidence: Evidence, lines: readonly Line[], rows: Rows): string[] {
  return [
    ...judgeCaps(evidence, lines),
    ...judgePolicies(evidence),
    ...judgeDeadlines(evidence, rows),
    ...judgeReasons(evidence, rows),
    ...judgeLatency(evidence),
    ...judgeRows(evidence, rows),
    ...judgeUploads(evidence, rows),
    ...(evidence.inspected ? faultsIn(evidence.inspected) : []),
  ];
}

/** What a key spends in a day stays within the highest cap that it had on that day. */
export function judgeCaps({ plan, tenants, wishes }: Evidence, lines: readonly Line[]): string[] {
  // A jump of the clock may end the day.
  if (plan.faults.has('vendor_price') || plan.faults.has('clock_jump')) return [];
  return tenants.flatMap(({ accountId, capped }, at) => {
    const caps = wishes.flatMap(({ account, change }) =>
      account === at && change?.cap !== undefined ? change.cap : [],
    );
    const sumOf = (found: readonly Line[]) => found.reduce((sum, { amount }) => sum + amount, 0);
    const own = lines.filter((line) => line.accountId === accountId);
    const spent = -sumOf(
      own.filter(({ kind, keyId }) => kind === 'settle' && keyId === capped.keyId),
    );
    // What is given back may be spent again.
    const returned = sumOf(own.filter(({ kind }) => kind === 'refund'));
    const cap = Math.max(Math.round(cappedUsd * 1_000_000), ...caps);
    if (spent <= cap + returned) return [];
    return [`the capped key of account ${at} spent ${spent}, and its cap was ${cap}`];
  });
}

/** Between a policy that forbids searches and the next one, no search reaches an engine. */
function judgePolicies({ wishes, outside }: Evidence): string[] {
  const policies = wishes.filter(({ change }) => change?.allowsSearch !== undefined);
  return policies.flatMap(({ change, account, tries, id }) => {
    const acknowledgedAt = tries.find(({ answer }) => isStatus(answer, 200, 200))?.returnedAt;
    if (change?.allowsSearch !== false || acknowledgedAt === undefined) return [];
    const others = policies.filter((one) => one.account === account && one.id !== id);
    const isOverlapped = others.some(
      (one) => startOf(one) < acknowledgedAt && endOf(one) > (tries[0]?.calledAt ?? 0),
    );
    if (isOverlapped) return [];
    const endsAt = Math.min(Infinity, ...others.map(startOf).filter((at) => at >= acknowledgedAt));
    return wishes
      .filter((wish) => wish.account === account && isEngineWish(wish))
      .filter((wish) => startOf(wish) > acknowledgedAt)
      .flatMap((wish) => {
        const subject = subjectOf(wish);
        const call = outside.engineCalls.find(
          (one) => one.at < endsAt && one.subject.includes(subject),
        );
        return call ? [`${wish.id} reached an engine, although ${id} forbids it`] : [];
      });
  });
}

function isEngineWish({ kind }: Wish): boolean {
  return kind === 'search' || kind === 'extract';
}

function startOf({ tries }: Wish): number {
  return tries[0]?.calledAt ?? Infinity;
}

function endOf({ tries }: Wish): number {
  return tries.at(-1)?.returnedAt ?? Infinity;
}

/** A callback that could not be read is tried again for a while; a gateway may be starting. */
const deadlineGraceMs = 90_000;

/** Every job ends by its deadline, as the clock of its gateway has it. */
function judgeDeadlines({ plan }: Evidence, rows: Rows): string[] {
  if (plan.faults.has('clock_jump')) return [];
  return rows('select id, deadline_at, finished_at from jobs').flatMap((job) => {
    const lateMs = Number(job['finished_at'] ?? Infinity) - Number(job['deadline_at']);
    return lateMs > deadlineGraceMs ? [`${String(job['id'])} ended ${lateMs} ms late`] : [];
  });
}

/** A job that fails before its deadline: its vendor refused it, failed at it, or did not deliver. */
function judgeReasons({ plan, wishes, outside }: Evidence, rows: Rows): string[] {
  if (plan.faults.has('clock_jump')) return [];
  const failed = rows(
    `select id, request from jobs where status = 'failed' and finished_at < deadline_at`,
  );
  return failed.flatMap(({ id, request }) => {
    const wish = wishes.find((one) => String(request).includes(subjectOf(one)));
    if (!wish) return [];
    const subject = subjectOf(wish);
    const isRefused = outside.refusedRecordings.some(
      (one) => one.includes(subject) || one.includes(String(id)),
    );
    const isFailed = outside.speechJobs.some(
      (job) => (!job.succeeds || isUndelivered(job)) && isWorkOf(job, subject, String(id)),
    );
    return isRefused || isFailed ? [] : [`${String(id)} failed, and its vendor did not`];
  });
}

/** Deepgram keeps no copy of what it could not deliver. */
function isUndelivered({ provider, received, delivery }: VendorJob): boolean {
  return provider === 'stt_b' && !received && delivery.attempts > 0;
}

/** The longest that an engine works, and time for everything else. */
const promptMs = 2000;

/** The parts of a recording that is uploaded arrive one by one. */
const longestSendingMs = 8000;

/** More than an engine takes for a call. */
const callMs = 320;

/**
 * Where nothing is slow, an answer comes soon, whatever others do. In a crowd one call runs at a time
 * and accounts take turns, so it waits for calls of its own account, and for as many of the other.
 */
function judgeLatency({ plan, wishes }: Evidence): string[] {
  if (plan.scene === 'siege' || slowKinds.some((kind) => plan.faults.has(kind))) return [];
  const triesOf = [0, 1].map((at) =>
    wishes.filter(({ account }) => account === at).flatMap(({ tries }) => tries),
  );
  const allowedMs = (account: number, { calledAt, returnedAt }: Try) => {
    if (plan.scene === 'usual') return promptMs;
    const own = triesOf[account] ?? [];
    const beside = own.filter((one) => one.calledAt < returnedAt && one.returnedAt > calledAt);
    return promptMs + 2 * beside.length * callMs;
  };
  return wishes.flatMap(({ id, kind, caller, account, tries, isForm }) =>
    tries.flatMap((one) => {
      const sendingMs = kind === 'upload' ? longestSendingMs : 0;
      const tookMs = Math.round(one.returnedAt - one.calledAt - sendingMs);
      // One of OpenAI's shape waits for its job.
      if (isForm || one.answer?.kind !== 'answer' || tookMs <= promptMs) return [];
      const atMostMs = allowedMs(account, one);
      if (tookMs <= atMostMs) return [];
      return [`${id} of ${caller} waited ${tookMs} ms instead of ${atMostMs}, and nothing is slow`];
    }),
  );
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Another gateway may be receiving it for an hour, and gateways look once an hour. */
const unknownMs = 3 * hourMs;

/** An upload that was accepted is there until it is deleted, its job has ended, or a day has passed. */
function judgeUploads(evidence: Evidence, rows: Rows): string[] {
  const { plan, wishes, files, endedAt } = evidence;
  const kept = rows('select id, bytes from uploads');
  const left = [
    ...files
      .filter(({ name, writtenAt }) => {
        return writtenAt < endedAt - unknownMs && !kept.some(({ id }) => id === name);
      })
      .map(({ name }) => `the file ${name} is left, and no row knows it`),
    ...evidence.unfinished
      .filter(({ startedAt }) => startedAt < endedAt - dayMs - unknownMs)
      .map(({ key }) => `the upload of ${key} in parts is left in the bucket`),
  ];
  const broken = kept.flatMap(({ id, bytes }) => {
    const file = files.find(({ name }) => name === id);
    return file?.bytes === Number(bytes)
      ? []
      : [`the upload ${String(id)} of ${String(bytes)} bytes has ${file?.bytes ?? 'no'} bytes`];
  });
  if (plan.faults.has('clock_jump') || endedAt > dayMs) return [...broken, ...left];
  const used = new Set(rows('select upload_id from jobs').map((job) => job['upload_id']));
  const lost = wishes.flatMap(({ id, kind, tries, isDeleted }) => {
    if (kind !== 'upload' || isDeleted) return [];
    return tries.flatMap(({ answer }) => {
      if (answer?.kind !== 'answer' || answer.status !== 201) return [];
      const name = String(answer.body['id']);
      if (used.has(name) || kept.some((one) => one['id'] === name)) return [];
      return [`${id}: the upload ${name} was accepted and is gone`];
    });
  });
  return [...broken, ...left, ...lost];
}

/** Tables begin with less, and a request adds a few rows at most. */
const [firstRows, rowsPerTry] = [150, 4];

/**
 * Rows that expire. What has expired is deleted within an hour, at night too. A key that was freed
 * expires at 0, and may have been freed just now.
 */
const expiring = [
  ...['holds', 'idempotency', 'admin_answers', 'uploads', 'kept_texts', 'logged_answers'],
];
const overdueMs = 2 * hourMs;
/** Of repeated work, which must not write more and more. */
const rowsOfNight = 10;

function judgeRows(evidence: Evidence, rows: Rows): string[] {
  const { wishes, outside, evening, endedAt } = evidence;
  const tries = countTries(wishes);
  const most = firstRows + rowsPerTry * (tries + outside.speechJobs.length);
  const tables = rows("select name from sqlite_master where type = 'table'");
  const counted = tables.flatMap(({ name }) => {
    const [found] = rows(`select count(*) as count from "${String(name)}"`);
    const count = Number(found?.['count']);
    const before = evening?.rows.get(String(name)) ?? count;
    const mostMore = rowsOfNight + rowsPerTry * (tries - (evening?.tries ?? 0));
    return [
      ...(count > most ? [`${String(name)} has ${count} rows after ${tries} requests`] : []),
      ...(count - before > mostMore
        ? [`${String(name)} has ${count - before} rows more after a night`]
        : []),
    ];
  });
  return [
    ...counted,
    ...expiring.flatMap((name) => {
      const before = epochMs + endedAt - overdueMs;
      const [found] = rows(
        `select count(*) as count from ${name} where expires_at > 0 and expires_at < ${before}`,
      );
      const count = Number(found?.['count']);
      return count > 0 ? [`${name} has ${count} rows that expired long ago`] : [];
    }),
  ];
}

export function countTries(wishes: readonly Wish[]): number {
  return wishes.reduce((sum, wish) => sum + wish.tries.length, 0);
}
