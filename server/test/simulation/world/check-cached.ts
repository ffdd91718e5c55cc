// What the checker says about answers from the cache: they cost nothing, are young enough, are what an
// engine said to a caller of the same account, and everything else is paid for.
import { usdOf } from './network.ts';
import type { Try, Operation } from './callers/caller.ts';
import { serialsIn } from './engines.ts';
import { type Evidence, isStatus, isTimely } from './evidence.ts';

/** How old an answer the callers accept. */
const acceptedAgeSeconds = 20;

export function checkCached(evidence: Evidence): string[] {
  const { operations } = evidence;
  const cached = operations.filter(({ kind }) => kind === 'cached');
  return cached.flatMap((operation) =>
    operation.tries.flatMap((one) =>
      checkAnswer(evidence, operation, one, cached).map(
        (words) => `${operation.id} of ${operation.caller}: ${words}`,
      ),
    ),
  );
}

function checkAnswer(
  evidence: Evidence,
  { account }: Operation,
  { answer, calledAt, returnedAt }: Try,
  cached: readonly Operation[],
): string[] {
  if (answer?.kind !== 'answer' || !isStatus(answer, 200, 200)) return [];
  const told = usdOf(answer);
  const [serial] = serialsIn(answer.text);
  const call = evidence.outside.engineCalls.find((one) => one.serial === serial);
  if (!call?.isServed) return ['its answer is of no engine'];
  const how = answer.headers.get('x-trivium-cache') ?? 'absent';
  if (how === 'miss') {
    return told === call.owed ? [] : [`was told ${told}, and its engine reported ${call.owed}`];
  }
  const strangers = cached.filter(
    (one) => one.account !== account && one.tries.some((other) => isMissOf(other, serial)),
  );
  const isOld = calledAt - call.endedAt > acceptedAgeSeconds * 1000 + roundingMs;
  return [
    ...(how === 'joined' || how.startsWith('hit') ? [] : [`its answer came from ${how}`]),
    ...(told === 0 ? [] : [`was told ${told} for an answer from the cache`]),
    ...(strangers.length > 0 ? ['got the answer of another account'] : []),
    ...(isOld && isTimely(evidence, call.at, returnedAt) ? ['its answer is too old'] : []),
  ];
}

/** Ages are whole seconds. */
const roundingMs = 2000;

function isMissOf({ answer }: Try, serial: number | undefined): boolean {
  if (answer?.kind !== 'answer' || answer.headers.get('x-trivium-cache') !== 'miss') return false;
  return serialsIn(answer.text)[0] === serial;
}
