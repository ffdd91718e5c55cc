// What each account must have in the end, by what its callers were told and by the price lists. The
// gateway's own ledger of movements is not asked.
import { usdOf } from './network.ts';
import type { Row } from '../../../src/store/database.ts';
import type { Try, Operation } from './callers/caller.ts';
import { providerOf } from './callers/requests.ts';
import { speechCost } from './engines.ts';
import { shadowCalls } from './check-shadows.ts';
import { shadowPayer } from './plan.ts';
import { callsOf, type Evidence, isMovement, isStatus, isSummed, timeOf } from './evidence.ts';

/** An amount of which only the limits may be known. */
interface Range {
  least: number;
  most: number;
}

export function checkTotals(evidence: Evidence, rows: (text: string) => Row[]): string[] {
  const { tenants, plan, operations } = evidence;
  return tenants.flatMap(({ accountId }, at) => {
    const opening = plan.opening[at] ?? 0;
    const ranges = operations
      .filter(({ account }) => account === at)
      .map((one) => rangeOf(evidence, one));
    const ofShadows = at === shadowPayer ? shadowCalls(evidence) : [];
    for (const { isServed, owed } of ofShadows) if (isServed) ranges.push(charged([0, owed]));
    const least = ranges.reduce((sum, range) => sum + range.least, opening);
    const most = ranges.reduce((sum, range) => sum + range.most, opening);
    const [row] = rows(`select posted from accounts where id = '${accountId}'`);
    const posted = Number(row?.['posted']);
    if (posted >= least && posted <= most) return [];
    return [
      `account ${at} has ${posted}, and by what its callers know it has ${least}` +
        (least === most ? '' : ` to ${most}`),
    ];
  });
}

/** What an operation adds to its account; less than 0 if it is charged. */
function rangeOf(evidence: Evidence, operation: Operation): Range {
  const range = knownRange(evidence, operation);
  const { from, to } = timeOf(operation);
  const mayBeLost = evidence.lostTimes.some(
    (lost) => from <= lost.to && to + unseenMs >= lost.from,
  );
  if (!mayBeLost) return range;
  return { least: Math.min(0, range.least), most: Math.max(0, range.most) };
}

/** So long a request may run whose caller is gone. */
const unseenMs = 900_000;

function knownRange(evidence: Evidence, operation: Operation): Range {
  const { tries, kind } = operation;
  if (isMovement(operation)) return moved(operation);
  if (kind === 'transcribe') return charged(jobCosts(operation));
  if (kind === 'search' || kind === 'extract') {
    const served = callsOf(evidence, operation).filter(({ isServed }) => isServed);
    // Under a key it is charged once, and once for each try without one.
    const told = tries.flatMap(({ answer }) =>
      isStatus(answer, 200, 200) ? (usdOf(answer) ?? []) : [],
    );
    if (told.length > 0) return charged([told[0] ?? 0]);
    const isSure = tries.every((one) => isRefused(one));
    const owed = served.map((call) => call.owed);
    const all = isSummed(operation) ? [owed.reduce((sum, one) => sum + one, 0)] : owed;
    return charged(isSure ? [0] : [0, ...all]);
  }
  if (kind !== 'cached' && operation.caller !== 'hostile') return { least: 0, most: 0 };
  // What shares the cache, and what hostile callers send, which is charged if it is served.
  const sum = tries.map((one) => chargedOnce(evidence, one));
  return sum.reduce(
    (total, one) => ({
      least: total.least + one.least,
      most: total.most + one.most,
    }),
    { least: 0, most: 0 },
  );
}

function moved({ tries, amount = 0 }: Operation): Range {
  if (tries.some(({ answer }) => isStatus(answer, 201, 201)))
    return { least: amount, most: amount };
  if (tries.every((one) => isRefused(one))) return { least: 0, most: 0 };
  return { least: Math.min(0, amount), most: Math.max(0, amount) };
}

/** Told by its job, which may have ended since it was last asked. */
function jobCosts(operation: Operation): number[] {
  const price = speechCost(providerOf(operation), operation.isForm);
  const told = usdOf(operation.job);
  const { job } = operation;
  if (job?.kind === 'answer' && job.body['status'] === 'failed') return [0];
  if (told !== undefined && job?.kind === 'answer' && job.body['status'] === 'completed')
    return [told];
  return operation.tries.every((one) => isRefused(one)) ? [0] : [0, price];
}

function chargedOnce(evidence: Evidence, one: Try): Range {
  const { answer, calledAt, returnedAt } = one;
  const told = isStatus(answer, 200, 200) ? usdOf(answer) : undefined;
  if (told !== undefined) return charged([told]);
  if (isRefused(one) || isStatus(answer, 200, 200)) return { least: 0, most: 0 };
  const calls = evidence.outside.engineCalls.filter(
    ({ at, isServed }) => isServed && at >= calledAt && at <= returnedAt + unseenMs,
  );
  // A recording of a hostile caller is no longer than others.
  const owed = calls.map((call) => call.owed);
  return charged([0, ...owed, ...(isStatus(answer, 202, 202) ? [speechCost('stt_b', true)] : [])]);
}

/** It had no effect that is charged. */
function isRefused({ answer }: Try): boolean {
  return answer?.kind === 'refused' || (isStatus(answer, 400, 499) && !isStatus(answer, 409, 409));
}

function charged(costs: readonly number[]): Range {
  return { least: -Math.max(...costs), most: -Math.min(...costs) };
}
