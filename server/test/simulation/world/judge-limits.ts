// What the judge says about limits: caps, policies, deadlines, the time of an answer, and rows.
import type { Row } from '../../../src/store/database.ts';
import { subjectOf } from './callers.ts';
import type { Wish } from './callers.ts';
import { isStatus } from './evidence.ts';
import type { Evidence, Line } from './evidence.ts';
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
  ];
}

/** What a key spends in a day stays within the highest cap that it had on that day. */
function judgeCaps({ plan, tenants, wishes }: Evidence, lines: readonly Line[]): string[] {
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

/** A job that fails before its deadline fails because its vendor refused it or failed at it. */
function judgeReasons({ plan, wishes, outside }: Evidence, rows: Rows): string[] {
  if (plan.faults.has('clock_jump')) return [];
  const failed = rows(
    `select id, request from jobs where status = 'failed' and finished_at < deadline_at`,
  );
  return failed.flatMap(({ id, request }) => {
    const wish = wishes.find((one) => String(request).includes(subjectOf(one)));
    if (!wish) return [];
    const subject = subjectOf(wish);
    const isRefused = outside.refusedRecordings.some((one) => one.includes(subject));
    const isFailed = outside.speechJobs.some(
      ({ audio_url, succeeds }) => !succeeds && audio_url.includes(subject),
    );
    return isRefused || isFailed ? [] : [`${String(id)} failed, and its vendor did not`];
  });
}

/** Faults that make a caller wait. */
const slow = [
  ...(['kill', 'power_loss', 'stop', 'freeze', 'clock_jump', 'slow_disk', 'full_disk'] as const),
  ...(['busy_disk', 'vendor_slow', 'vendor_refuses', 'vendor_breaks', 'fault_points'] as const),
];
/** The longest that an engine works, and time for everything else. */
const promptMs = 2000;

/** Where nothing is slow, whatever others do, an answer comes soon. */
function judgeLatency({ plan, wishes }: Evidence): string[] {
  if (plan.scene !== 'usual' || slow.some((kind) => plan.faults.has(kind))) return [];
  return wishes.flatMap(({ id, caller, tries }) =>
    tries.flatMap(({ calledAt, returnedAt, answer }) => {
      const tookMs = Math.round(returnedAt - calledAt);
      if (answer?.kind !== 'answer' || tookMs <= promptMs) return [];
      return [`${id} of ${caller} waited ${tookMs} ms, and nothing is slow`];
    }),
  );
}

/** Tables begin with less, and a request adds a few rows at most. */
const [firstRows, rowsPerTry] = [150, 4];

function judgeRows({ wishes, outside }: Evidence, rows: Rows): string[] {
  const tries = wishes.reduce((sum, wish) => sum + wish.tries.length, 0);
  const most = firstRows + rowsPerTry * (tries + outside.speechJobs.length);
  const tables = rows("select name from sqlite_master where type = 'table'");
  return tables.flatMap(({ name }) => {
    const [found] = rows(`select count(*) as count from "${String(name)}"`);
    const count = Number(found?.['count']);
    return count > most ? [`${String(name)} has ${count} rows after ${tries} requests`] : [];
  });
}
