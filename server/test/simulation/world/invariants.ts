// Rules that are checked while the gateway runs, each at the moment at which it must hold: when an
// answer leaves, when an engine is called, and a little after each request has ended.
import { type Answer, type Ask, usdOf } from './network.ts';
import { sha256Hex } from '../../../src/platform/ids.ts';
import type { Row } from '../../../src/store/database.ts';
import { type Incidents, isTouched } from './incidents.ts';
import { epochMs } from './machine.ts';
import { type FaultKind, serverFaultKinds } from './plan.ts';
import type { Life, Scheduler } from './scheduler.ts';
import { unbalancedRows } from './unbalanced-rows.ts';

export interface Invariants {
  /** An answer leaves a gateway: what it promises is in the store. */
  leaves: (ask: Ask, answer: Extract<Answer, { kind: 'answer' }>, calledAt: number) => void;
  /** A gateway calls an engine: the money for the call is held until the call must have ended. */
  callsEngine: (life: Life, subject: string, isSearch: boolean) => void;
  /** What did not hold, in words. */
  faults: readonly string[];
}

interface Parts {
  scheduler: Scheduler;
  incidents: Incidents;
  /** Undefined while the store cannot be read. */
  read: (text: string, values?: readonly unknown[]) => Row[] | undefined;
  /** Commits of a shared store were lost. */
  hasLost: () => boolean;
  /** True for a text in the journal that is not booked. */
  isJournaled: (text: string) => boolean;
  /** Charges in the journal are booked soon; gateways that share a store book them now and then. */
  booksSoon: boolean;
}

/** These end a request in another way than by its answer, or make its clean-up wait. */
const delays: readonly FaultKind[] = [
  ...(['kill', 'power_loss', 'stop', 'freeze', 'slow_disk', 'full_disk', 'busy_disk'] as const),
  ...(['fault_points', 'targeted', 'at_commit', ...serverFaultKinds] as const),
];
/** Within this time a request has freed its hold and its key. */
const cleanUpMs = 2000;
/** The least that a gateway gives an engine: a search, and the shortest extraction. */
const leastMs = { search: 30_000, extract: 6000 };
/** Afterwards an answer may wait for room in memory, and for its commit. */
const afterCallMs = 75_000;
/** No request takes longer. */
const longestMs = 900_000;
/** All rows of money are added up after so many answers. */
const answersPerSum = 25;
const mostFaults = 20;

export function makeInvariants(parts: Parts): Invariants {
  const { scheduler, incidents, read, hasLost, isJournaled, booksSoon } = parts;
  const faults: string[] = [];
  const say = (words: string) => void (faults.length < mostFaults && faults.push(words));
  const now = () => scheduler.now();
  const happened = (kinds: readonly FaultKind[], from: number) =>
    isTouched({ incidents: incidents.all }, kinds, from, now());
  let answers = 0;
  const isIn = (text: string, ...values: unknown[]) => {
    const rows = read(text, values);
    return rows === undefined || rows.length > 0;
  };
  const checkEnd = (id: string, calledAt: number) => {
    const from = calledAt - longestDelayMs;
    if (booksSoon && !incidents.all.some(({ kind, to }) => delays.includes(kind) && to >= from)) {
      if (isJournaled(`"${id}"`)) say(`${id} is answered, and its charge is still in the journal`);
    }
    if (happened(delays, from)) return;
    const held = read('select amount from holds where id = $1', [id]);
    if (held?.[0]) say(`${id} is answered, and ${String(held[0]['amount'])} are still held for it`);
    const taken = read(
      `select key from idempotency where owner = $1 and state = 'running' and expires_at > 0`,
      [id],
    );
    if (taken?.[0]) say(`${id} is answered, and its key is still taken`);
  };
  return {
    faults,
    leaves: ({ path, body: sent }, answer, calledAt) => {
      if (hasLost()) return;
      const { status, body, headers } = answer;
      const id = headers.get('x-request-id') ?? '';
      const isNew = headers.get('idempotent-replayed') === null;
      if (status === 200 && isNew && (usdOf(answer) ?? 0) > 0 && isPaidPath(path)) {
        const isCharged = [id, paidIdIn(answer.text) ?? id].some(
          (one) => isIn('select id from transfers where id = $1', one) || isJournaled(one),
        );
        if (!isCharged) say(`${path} was answered with a price before its charge was stored`);
      }
      if (status === 202 && !isIn('select id from jobs where id = $1', body['id'])) {
        say(`${String(body['id'])} was accepted before it was stored`);
      }
      if (path === '/v1/feedback' && status === 200) {
        const found = 'select request_id from feedback where request_id = $1';
        if (!isIn(found, String(body['search_id']).replace('srch_', 'req_'))) {
          say('feedback was acknowledged before it was stored');
        }
      }
      if (path.startsWith('/callbacks/') && status < 300) {
        const jobId = jobIn(path, String(sent));
        const isKept =
          isIn('select id from callbacks where job_id = $1', jobId) ||
          isIn('select id from jobs where id = $1 and finished_at is not null', jobId);
        if (!isKept) say(`a callback for ${jobId} was acknowledged before it was stored`);
      }
      if (path === '/oauth/token' && status === 200) {
        const found = 'select hash from oauth_refresh_tokens where hash = $1';
        if (!isIn(found, sha256Hex(String(body['refresh_token']))))
          say('tokens were given before they were stored');
      }
      if (id !== '') scheduler.after(cleanUpMs, undefined, () => checkEnd(id, calledAt));
      answers += 1;
      if (answers % answersPerSum === 0) for (const words of unbalancedRows(read)) say(words);
    },
    callsEngine: (life, subject, isSearch) => {
      const [, operation] = /operation-(op\d+)-/.exec(subject) ?? [];
      if (operation === undefined || !life.isAlive || hasLost()) return;
      if (happened(['clock_jump', 'freeze', ...serverFaultKinds], now() - longestMs)) return;
      const found = read(
        `select i.owner, i.expires_at, h.expires_at as held_until
         from idempotency i left join holds h on h.id = i.owner
         where i.state = 'running' and (i.key = $1 or i.key like $2)`,
        [`key-of-${operation}`, `% key-of-${operation}`],
      );
      for (const { owner, expires_at: takenUntil, held_until: until } of found ?? []) {
        const name = `${operation}, as ${String(owner)},`;
        if (until === null) return say(`an engine is called for ${name} and nothing is held`);
        const leftMs = Number(until) - epochMs - now() - life.clockOffsetMs;
        if (leftMs < leastMs[isSearch ? 'search' : 'extract'] + afterCallMs) {
          say(`an engine is called for ${name} whose hold ends in ${Math.round(leftMs)} ms`);
        }
        const longerMs = Number(takenUntil) - Number(until);
        if (longerMs !== 0) say(`the key of ${name} is taken ${longerMs} ms longer than its hold`);
      }
    },
  };
}

/** What was slow or full before may still delay what comes after it. */
const longestDelayMs = 15_000;

/** A tool call has an id of its own. */
function paidIdIn(text: string): string | undefined {
  const [, hex] = /\b(?:srch|ext)_([0-9a-f]{32})\b/.exec(text) ?? [];
  return hex === undefined ? undefined : `req_${hex}`;
}

function isPaidPath(path: string): boolean {
  return path === '/v1/search' || path === '/v1/extract' || path === '/mcp';
}

/** Named by the address, or by a signed body. */
function jobIn(path: string, sent: string): string {
  return /job_[0-9a-f-]{36}/.exec(path)?.[0] ?? /job_[0-9a-f-]{36}/.exec(sent)?.[0] ?? '';
}
