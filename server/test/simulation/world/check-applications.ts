// What the checker says about applications that a person has let in: which tokens work, and for how
// long, and that what they buy is charged to one key.
import { hourMs, minuteMs } from '@trivium/contract/durations';
import type { Operation, Try } from './callers/caller.ts';
import {
  type Evidence,
  isChargeOf,
  isStatus,
  isTimely,
  type Line,
  takenForDead,
} from './evidence.ts';
import { isTouched } from './incidents.ts';

/** As docs/agents.md tells. */
const accessMs = hourMs;
const retryMs = 2 * minuteMs;
/** Of a grant so many used tokens are known, and end it when they are used again. */
const knownTokens = 9;
/** Another gateway knows so much later which keys work. */
const othersKnowMs = 10_000;
const longestCutOffMs = 60_000;

export function checkApplications(evidence: Evidence, lines: readonly Line[]): string[] {
  if (evidence.lostTimes.length > 0) return [];
  const own = evidence.operations.filter(({ access }) => access);
  const grants = Map.groupBy(own, ({ access }) => access?.code);
  return [...grants.values()].flatMap((operations) => [
    ...checkGrant(evidence, operations),
    ...checkKeys(evidence, operations, lines),
  ]);
}

/** Of all applications, each of its charges names the same key, which no one else has. */
function checkKeys(evidence: Evidence, operations: readonly Operation[], lines: readonly Line[]) {
  const charges = operations.flatMap((one) =>
    lines.filter((line) => isChargeOf(evidence, one, line)),
  );
  const keys = new Set(charges.map(({ keyId }) => keyId));
  const isOfOthers = evidence.tenants.some(({ keyId }) => keys.has(keyId));
  if (keys.size < 2 && !isOfOthers) return [];
  return [`what one application spent is charged to ${[...keys].join(' and ')}`];
}

/** Something that was sent, and may have had its effect from then on, or by its answer. */
interface Sent extends Pick<Operation, 'id' | 'kind'> {
  from: number;
  to: number;
  answer: Try['answer'];
  /** Of its tokens by their order: the code is 0, what it was exchanged for is 1. */
  place: number;
}

function checkGrant(evidence: Evidence, operations: readonly Operation[]): string[] {
  const faults: string[] = [];
  const all = inOrder(operations, (words) => faults.push(words));
  const timely = (from: number, to: number) => isTimely(evidence, from, to);
  const exchanges = all.filter(({ kind }) => kind === 'token');
  /** When it was used at the earliest, and by when it was, as its sender was told. */
  const usedFrom = (place: number) =>
    Math.min(...exchanges.filter((one) => one.place === place).map(({ from }) => from));
  const usedBy = (place: number) =>
    Math.min(...exchanges.filter((one) => one.place === place && isGiven(one)).map(({ to }) => to));
  const retriedForMs = (place: number) => (place === 0 ? 0 : retryMs);
  const isAgain = (one: Sent) =>
    exchanges.some((other) => other !== one && other.place === one.place && other.from <= one.to);
  const mayEnd = all.filter(
    (one) =>
      one.kind === 'revoke' ||
      (one.kind === 'token' &&
        isAgain(one) &&
        (one.to >= usedFrom(one.place) + retriedForMs(one.place) ||
          !timely(usedFrom(one.place), one.to))),
  );
  const ends = mayEnd.filter(({ kind, answer, from, to, place }) => {
    if (kind === 'revoke') return isStatus(answer, 200, 200);
    const isKnown = all.every((one) => one.from > to || one.place <= place + knownTokens);
    const isLate = from > usedBy(place) + retriedForMs(place) && timely(usedFrom(place), to);
    return isLate && isKnown && isStatus(answer, 400, 400);
  });
  const mayEndFrom = Math.min(...mayEnd.map(({ from }) => from));
  const endedBy = Math.min(...ends.map(({ to }) => to));
  const lateMs = evidence.plan.isShared ? othersKnowMs : 0;
  for (const one of all) {
    const { id, kind, answer, from, to, place } = one;
    const say = (words: string) => faults.push(`${id}: ${words}`);
    const isCutOff =
      evidence.plan.isShared && isTouched(evidence, takenForDead, from - longestCutOffMs, to);
    if (kind === 'token') {
      const isOld = from > usedBy(place) + retriedForMs(place) && timely(usedFrom(place), to);
      if (isGiven(one) && from > endedBy) say('an access that has ended gets tokens');
      else if (isGiven(one) && isOld) say('a token gets others long after it was used');
      const isReplaced = exchanges.some((other) => other.place > place && other.from <= to);
      const isExcused =
        mayEndFrom <= to || (isAgain(one) && isReplaced) || !timely(usedFrom(place), to);
      if (isStatus(answer, 400, 400) && !isExcused) say('a token that was not used gets no others');
    }
    if (kind === 'search' && place > 0) {
      const issuedFrom = usedFrom(place - 1);
      const isLate = from > usedBy(place - 1) + accessMs && timely(issuedFrom, to);
      const isReplaced = all.some(
        (other) => other.place > place && other.from > 0 && usedBy(other.place - 1) + lateMs < from,
      );
      if ((isStatus(answer, 200, 200) || isStatus(answer, 402, 402)) && !isCutOff) {
        if (from > endedBy + lateMs) say('the token of an access that has ended works');
        else if (isLate) say('a token works after its time');
        else if (isReplaced) say('a token that was replaced works');
      }
      const mayBeReplaced = exchanges.some((other) => other.place >= place && other.from <= to);
      const isExcused =
        mayEndFrom <= to || mayBeReplaced || to >= issuedFrom + accessMs || !timely(issuedFrom, to);
      if (isStatus(answer, 401, 401) && !isExcused) say('a token that was given does not work');
    }
  }
  return faults;
}

function isGiven({ kind, answer }: Pick<Sent, 'kind' | 'answer'>): boolean {
  return kind === 'token' && isStatus(answer, 200, 200);
}

/** Everything that was sent for a grant, with the place of its code or token. */
function inOrder(operations: readonly Operation[], say: (words: string) => void): Sent[] {
  const places = new Map<string, number>();
  const given = new Map<string, string>();
  const all = operations.flatMap(({ id, kind, access, tries }) =>
    tries.map(({ calledAt: from, returnedAt: to, answer }) => ({
      ...{ id, kind, from, to, answer, sent: access?.sent ?? '', code: access?.code ?? '' },
    })),
  );
  for (const { id, kind, sent, code, answer } of all.toSorted((one, other) => one.to - other.to)) {
    places.set(code, 0);
    if (!isGiven({ kind, answer }) || answer?.kind !== 'answer') continue;
    const tokens = [String(answer.body['access_token']), String(answer.body['refresh_token'])];
    for (const token of tokens) places.set(token, (places.get(sent) ?? 0) + 1);
    const before = given.get(sent) ?? tokens.join();
    if (before !== tokens.join()) say(`${id}: one token gets different ones`);
    given.set(sent, before);
  }
  return all
    .filter(({ answer }) => answer?.kind !== 'refused')
    .map(({ sent, code: _code, ...one }) => ({ ...one, place: places.get(sent) ?? -1 }));
}
