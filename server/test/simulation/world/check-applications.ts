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
  const say = (words: string) => faults.push(words);
  const all = inOrder(operations, say);
  const exchanges = all.filter(({ kind }) => kind === 'token');
  const of = (place: number) => exchanges.filter((one) => one.place === place);
  /** When a token was used at the earliest, and by when it was, as its sender was told. */
  const usedFrom = (place: number) => Math.min(...of(place).map(({ from }) => from));
  const usedBy = (place: number) =>
    Math.min(
      ...of(place)
        .filter(isGiven)
        .map(({ to }) => to),
    );
  const isTimelySince = (place: number, to: number) => isTimely(evidence, usedFrom(place), to);
  const retriedMs = (place: number) => (place === 0 ? 0 : retryMs);
  const isAgain = (one: Sent) =>
    of(one.place).some((other) => other !== one && other.from <= one.to);
  const isLateAgain = ({ place, from, to }: Sent) =>
    from > usedBy(place) + retriedMs(place) && isTimelySince(place, to);
  const mayBeLateAgain = (one: Sent) =>
    isAgain(one) &&
    (one.to >= usedFrom(one.place) + retriedMs(one.place) || !isTimelySince(one.place, one.to));
  const mayEnd = all.filter(
    (one) => one.kind === 'revoke' || (one.kind === 'token' && mayBeLateAgain(one)),
  );
  const ends = mayEnd.filter((one) => {
    if (one.kind === 'revoke') return isStatus(one.answer, 200, 200);
    const isKnown = all.every(
      ({ from, place }) => from > one.to || place <= one.place + knownTokens,
    );
    return isLateAgain(one) && isKnown && isStatus(one.answer, 400, 400);
  });
  const mayEndFrom = Math.min(...mayEnd.map(({ from }) => from));
  const endedBy = Math.min(...ends.map(({ to }) => to));
  for (const one of exchanges) {
    const { id, from, to, place, answer } = one;
    if (isGiven(one) && from > endedBy) say(`${id} gets tokens, although the access has ended`);
    if (isGiven(one) && isLateAgain(one)) say(`${id} gets tokens for one that was used long ago`);
    const isReplaced =
      isAgain(one) && exchanges.some((other) => other.place > place && other.from <= to);
    const isExcused = mayEndFrom <= to || isReplaced || !isTimelySince(place, to);
    if (isStatus(answer, 400, 400) && !isExcused)
      say(`${id} gets no tokens, and nothing ended its own`);
  }
  const { isShared } = evidence.plan;
  const lateMs = isShared ? othersKnowMs : 0;
  for (const { id, kind, from, to, place, answer } of all) {
    if (kind !== 'search' || place < 1) continue;
    const isTimelyToken = isTimelySince(place - 1, to);
    const isReplaced = exchanges.some((other) => other.place >= place && other.from <= to);
    const isExcused =
      mayEndFrom <= to || isReplaced || to >= usedFrom(place - 1) + accessMs || !isTimelyToken;
    if (isStatus(answer, 401, 401) && !isExcused)
      say(`${id}: a token that was given does not work`);
    const isTaken = isStatus(answer, 200, 200) || isStatus(answer, 402, 402);
    const cutOffFrom = from - longestCutOffMs;
    if (!isTaken || (isShared && isTouched(evidence, takenForDead, cutOffFrom, to))) continue;
    const isOfLater = (other: Sent) => other.place >= place && isGiven(other);
    if (from > endedBy + lateMs) say(`${id}: a token works, although the access has ended`);
    if (from > usedBy(place - 1) + accessMs && isTimelyToken)
      say(`${id}: a token works after its time`);
    if (exchanges.some((other) => isOfLater(other) && other.to + lateMs < from))
      say(`${id}: a token works that was replaced`);
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
