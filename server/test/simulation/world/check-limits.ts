// What the checker says about limits: caps, policies, deadlines, the time of an answer, and rows.
import type { Row } from '../../../src/store/database.ts';
import { type Operation, subjectOf, type Try } from './callers/caller.ts';
import { teams } from './callers/requests.ts';
import { isStatus, isTimely, isWorkOf, timeOf, operationIn } from './evidence.ts';
import { epochMs } from './machine.ts';
import type { Evidence, Line } from './evidence.ts';
import { faultsIn } from './inspect.ts';
import { isTouched } from './incidents.ts';
import { uncoveredBy } from './check-spending.ts';
import { slowKinds } from './plan.ts';
import type { VendorJob } from '../vendor-job.ts';
import { cappedUsd } from './template.ts';

type Rows = (text: string) => Row[];

export function checkLimits(evidence: Evidence, lines: readonly Line[], rows: Rows): string[] {
  return [
    ...checkCaps(evidence, lines),
    ...checkPolicies(evidence),
    ...checkDeadlines(evidence, rows),
    ...checkReasons(evidence, rows),
    ...checkLatency(evidence),
    ...checkRows(evidence, rows),
    ...checkUploads(evidence, rows),
    ...(evidence.inspected ? faultsIn(evidence.inspected) : []),
  ];
}

/** What a day's spending is limited by: the cap of a key, or the budget of a team. */
interface Limit {
  words: string;
  spending: readonly Line[];
  /** Before the first change. */
  first: number;
  changes: readonly { operation: Operation; cap: number }[];
}

/** What is spent in a day stays within the highest cap that there was on that day. */
export function checkCaps(evidence: Evidence, lines: readonly Line[]): string[] {
  return evidence.tenants.flatMap(({ accountId }, at) => {
    const own = lines.filter((line) => line.accountId === accountId);
    // What is given back may be spent again.
    const returned = sumOf(
      evidence,
      own.filter(({ kind }) => kind === 'refund'),
    );
    const charges = own.filter(({ kind }) => kind === 'settle');
    return limitsOf(evidence, at, charges).flatMap((limit) => checkCap(evidence, limit, returned));
  });
}

function limitsOf(evidence: Evidence, at: number, charges: readonly Line[]): Limit[] {
  const { tenants, operations } = evidence;
  const changes = operations.filter(({ account, change }) => account === at && change);
  const capped = changes.flatMap((operation) => {
    const cap = operation.change?.cap;
    return cap === undefined ? [] : [{ operation, cap }];
  });
  return [
    {
      words: `the capped key of account ${at}`,
      spending: charges.filter(({ keyId }) => keyId === tenants[at]?.capped.keyId),
      first: Math.round(cappedUsd * 1_000_000),
      changes: capped,
    },
    ...teams.map((team) => ({
      words: `the team ${team} of account ${at}`,
      spending: charges.filter(({ asked }) => operationIn(evidence, asked)?.team === team),
      first: Infinity,
      changes: changes.flatMap((operation) => {
        const { budget } = operation.change ?? {};
        return budget?.team === team ? [{ operation, cap: budget.cap }] : [];
      }),
    })),
  ];
}

function checkCap(evidence: Evidence, limit: Limit, returned: number): string[] {
  const { words, spending, first, changes } = limit;
  const highest = Math.max(first, ...changes.map(({ cap }) => cap));
  const days = Map.groupBy(spending, dayOf);
  const above = [...days.values()].filter((found) => -sumOf(evidence, found) > highest + returned);
  return [
    ...above.map((found) => `${words} spent ${-sumOf(evidence, found)}, and may spend ${highest}`),
    ...changes.flatMap((change) => checkLoweredCap(evidence, change, limit, returned)),
  ];
}

function sumOf(evidence: Evidence, found: readonly Line[]): number {
  return found.reduce((sum, line) => sum + line.amount + uncoveredBy(evidence, line), 0);
}

/** From the acknowledgement of a cap to the next change, what was spent before counts. */
function checkLoweredCap(
  evidence: Evidence,
  { operation: lowered, cap }: Limit['changes'][number],
  { spending, changes }: Limit,
  returned: number,
): string[] {
  const times = timeInForce(
    evidence,
    lowered,
    changes.map(({ operation }) => operation),
  );
  if (!times) return [];
  const paid = spending.flatMap((line) => {
    const operation = operationIn(evidence, line.asked);
    return operation ? [{ line, operation }] : [];
  });
  return paid.flatMap(({ line, operation }) => {
    const { from, to } = timeOf(operation);
    const isAfter = from > times.from && to < times.to;
    if (!isAfter || uncoveredBy(evidence, line) > 0) return [];
    const before = paid.filter(
      (one) => timeOf(one.operation).to < from && dayOf(one.line) === dayOf(line),
    );
    const spent = [...before, { line }].reduce((sum, one) => sum - one.line.amount, 0);
    const isAllowed = spent <= cap + returned;
    return isAllowed
      ? []
      : [`${operation.id} spent ${spent}, although ${lowered.id} allows ${cap}`];
  });
}

/** From the acknowledgement of a change until another one begins; undefined if they overlap. */
function timeInForce(
  { plan }: Evidence,
  change: Operation,
  changes: readonly Operation[],
): { from: number; to: number } | undefined {
  const returned = change.tries.find(({ answer }) => isStatus(answer, 200, 201))?.returnedAt;
  if (returned === undefined) return undefined;
  const from = returned + (plan.isShared ? othersKnowMs : 0);
  const others = changes.filter((one) => one !== change).map(timeOf);
  const began = timeOf(change).from;
  if (others.some((one) => one.from < from && one.to > began)) return undefined;
  return {
    from,
    to: Math.min(Infinity, ...others.map((one) => one.from).filter((at) => at >= from)),
  };
}

/** A change is known to other gateways within a few seconds. */
const othersKnowMs = 10_000;

function dayOf({ createdAt }: Line): number {
  return Math.floor(createdAt / dayMs);
}

/** Between a policy that forbids searches and the next one, no search reaches an engine. */
export function checkPolicies(evidence: Evidence): string[] {
  const { operations, outside } = evidence;
  const policies = operations.filter(({ change }) => change?.allowsSearch !== undefined);
  return policies.flatMap((policy) => {
    const { change, account, id } = policy;
    const others = policies.filter((one) => one.account === account);
    const times = timeInForce(evidence, policy, others);
    if (change?.allowsSearch !== false || !times) return [];
    return operations
      .filter((operation) => operation.account === account && isOfEngine(operation))
      .filter((operation) => timeOf(operation).from > times.from)
      .flatMap((operation) => {
        const subject = subjectOf(operation);
        const call = outside.engineCalls.find(
          (one) => one.at < times.to && one.subject.includes(subject),
        );
        return call ? [`${operation.id} reached an engine, although ${id} forbids it`] : [];
      });
  });
}

function isOfEngine({ kind }: Operation): boolean {
  return kind === 'search' || kind === 'extract';
}

/** A callback that could not be read is tried again for a while; a gateway may be starting. */
const deadlineGraceMs = 90_000;

/** Every job ends by its deadline, as the clock of its gateway has it. */
export function checkDeadlines(evidence: Evidence, rows: Rows): string[] {
  return rows('select id, created_at, deadline_at, finished_at from jobs').flatMap((job) => {
    const lateMs = Number(job['finished_at'] ?? Infinity) - Number(job['deadline_at']);
    if (!isTimelyJob(evidence, job)) return [];
    return lateMs > deadlineGraceMs ? [`${String(job['id'])} ended ${lateMs} ms late`] : [];
  });
}

/** More than a clock is ever ahead of the others or behind them. */
const mostOffsetMs = 300_000;

/** No clock jumped while it was open. */
function isTimelyJob(evidence: Evidence, job: Row): boolean {
  const from = Number(job['created_at']) - epochMs - mostOffsetMs;
  const to = Number(job['finished_at'] ?? Infinity) - epochMs + mostOffsetMs;
  return isTimely(evidence, from, to);
}

/** A job that fails before its deadline: its vendor refused it, failed at it, or did not deliver. */
export function checkReasons(evidence: Evidence, rows: Rows): string[] {
  const { operations, outside } = evidence;
  const failed = rows(
    `select id, request, created_at, finished_at from jobs
     where status = 'failed' and finished_at < deadline_at`,
  );
  return failed.flatMap((job) => {
    const { id, request } = job;
    if (!isTimelyJob(evidence, job)) return [];
    const operation = operations.find((one) => String(request).includes(subjectOf(one)));
    if (!operation) return [];
    const subject = subjectOf(operation);
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

/** After this nothing of a fault is left: the gateway runs again, and its queues are empty. */
const recoveryMs = 120_000;

/** More than an engine takes for a call. */
const callMs = 320;

/**
 * Where nothing is slow, an answer comes soon, whatever others do. In a crowd one call runs at a time
 * and accounts take turns, so it waits for calls of its own account, and for as many of each other.
 */
function checkLatency(evidence: Evidence): string[] {
  const { plan, operations } = evidence;
  if (plan.scene === 'overload') return [];
  const triesOf = plan.opening.map((_, at) =>
    operations.filter(({ account }) => account === at).flatMap(({ tries }) => tries),
  );
  const allowedMs = (account: number, { calledAt, returnedAt }: Try) => {
    if (plan.scene === 'usual') return promptMs;
    const own = triesOf[account] ?? [];
    const beside = own.filter((one) => one.calledAt < returnedAt && one.returnedAt > calledAt);
    return promptMs + triesOf.length * beside.length * callMs;
  };
  return operations.flatMap(({ id, kind, caller, account, tries, isForm }) =>
    tries.flatMap((one) => {
      const sendingMs = kind === 'upload' ? longestSendingMs : 0;
      const tookMs = Math.round(one.returnedAt - one.calledAt - sendingMs);
      // One of OpenAI's shape waits for its job.
      if (isForm || one.answer?.kind !== 'answer' || tookMs <= promptMs) return [];
      const atMostMs = allowedMs(account, one);
      const isSlow = isTouched(evidence, slowKinds, one.calledAt - recoveryMs, one.returnedAt);
      if (tookMs <= atMostMs || isSlow) return [];
      return [`${id} of ${caller} waited ${tookMs} ms instead of ${atMostMs}, and nothing is slow`];
    }),
  );
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Another gateway may be receiving it for an hour, and gateways look once an hour. */
const unknownMs = 3 * hourMs;

/** An upload that was accepted is there until it is deleted, its job has ended, or a day has passed. */
function checkUploads(evidence: Evidence, rows: Rows): string[] {
  const { operations, files, endedAt } = evidence;
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
  const used = new Set(rows('select upload_id from jobs').map((job) => job['upload_id']));
  const lost = operations.flatMap(({ id, kind, tries, isDeleted }) => {
    if (kind !== 'upload' || isDeleted) return [];
    return tries.flatMap(({ answer, calledAt }) => {
      if (answer?.kind !== 'answer' || answer.status !== 201) return [];
      if (endedAt > calledAt + dayMs - mostOffsetMs) return [];
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
 * Rows that expire. What has expired is deleted within an hour, in an idle time too. A key that was freed
 * expires at 0, and may have been freed just now.
 */
const expiring = [
  ...['holds', 'idempotency', 'admin_answers', 'uploads', 'kept_texts', 'logged_answers'],
];
const overdueMs = 2 * hourMs;
/** Of repeated work, which must not write more and more. */
const rowsOfIdleTime = 10;

function checkRows(evidence: Evidence, rows: Rows): string[] {
  const { operations, outside, beforeIdle, endedAt } = evidence;
  const tries = countTries(operations);
  const most = firstRows + rowsPerTry * (tries + outside.speechJobs.length);
  const tables = rows("select name from sqlite_master where type = 'table'");
  const counted = tables.flatMap(({ name }) => {
    const [found] = rows(`select count(*) as count from "${String(name)}"`);
    const count = Number(found?.['count']);
    const before = beforeIdle?.rows.get(String(name)) ?? count;
    const mostMore = rowsOfIdleTime + rowsPerTry * (tries - (beforeIdle?.tries ?? 0));
    return [
      ...(count > most ? [`${String(name)} has ${count} rows after ${tries} requests`] : []),
      ...(count - before > mostMore
        ? [`${String(name)} has ${count - before} rows more after an idle time`]
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

export function countTries(operations: readonly Operation[]): number {
  return operations.reduce((sum, operation) => sum + operation.tries.length, 0);
}
