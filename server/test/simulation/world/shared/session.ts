// What the servers of a store do with the statements of a connection, in virtual time. The engine has
// one session, so at most one transaction that has written or locked something is open at a time, and
// everything else waits for it. Transactions that have only read so far do not: each of their
// statements sees what is committed by then, as with PostgreSQL's isolation "read committed".
import type { Row } from '../../../../src/store/database.ts';
import type { Random } from '../../seeded-random.ts';
import { epochMs } from '../machine.ts';
import type { Commits } from '../disk.ts';
import type { Life, Scheduler, Task } from '../scheduler.ts';
import type { Engine } from './engine.ts';
import { refusal } from './wire.ts';

/** One of the machines that `DATABASE_URL` names. */
export interface Server {
  host: string;
  role: 'primary' | 'standby';
  timeline: number;
  isDown: boolean;
  /** It keeps its connections and answers nothing before this time. */
  hangsUntil: number;
  clockOffsetMs: number;
  /** A commit ends when the standby has it. */
  isSynchronous: boolean;
  sessions: Set<Session>;
}

/** What one connection is to its server. */
export interface Session {
  id: number;
  server: Server;
  life: Life;
  isOpen: boolean;
  queue: Statement[];
  isBusy: boolean;
  stage: 'none' | 'reading' | 'writing' | 'failed';
  /** Its transaction has named the table of accounts. */
  movesMoney: boolean;
  /** What its transaction has written. */
  statements: string;
  /** The statements by which its transaction got advisory locks. */
  advisory: string[];
  /** Ends a transaction whose client says nothing. */
  idle: Task | undefined;
  /** An answer that a hanging server has not sent yet. */
  unsent: (() => void) | undefined;
  /** Called once, when the server has closed the connection. */
  onClosed: () => void;
}

export interface Statement {
  text: string;
  values: readonly unknown[];
  answer: (result: Result) => void;
}

export type Result = { rows: Row[] } | { error: Error };

/** What goes wrong at the moment, as shares of all statements. */
export interface Trouble {
  lostShare: number;
  conflictShare: number;
  commitMs: number;
  /** How late a client learns, at the most, that its transaction was rolled back. */
  rollbackMs: number;
}

export interface Store {
  scheduler: Scheduler;
  random: Random;
  engine: Engine;
  servers: readonly Server[];
  trouble: Trouble;
  /** Has the only transaction that has written or locked. */
  writer: Session | undefined;
  waiting: Session[];
  /** Runs as soon as no transaction is open that has written. */
  between: (() => void)[];
  /** Processes whose machine lost its power: no server sees that their connections ended. */
  silent: Set<Life>;
  /** How many were opened. */
  sessions: number;
  /** The least that each account had free, if it was below zero. */
  lowest: Map<string, number>;
  /** What gateways charged to allowances that did not cover it, in words. */
  uncovered: Set<string>;
  /** Commits were lost with a primary, which gateways remember. */
  hasLost: () => boolean;
  count: (what: string) => void;
  happened: (kind: 'lost_connections' | 'conflicts') => void;
  commits: Commits;
  /** Called when a gateway returns an allowance. */
  returned: Set<() => void>;
}

/** As the gateway sets it for all of its transactions. */
const idleLimitMs = 10_000;

export function newestTimeline({ servers }: Store): number {
  return Math.max(...servers.map(({ timeline }) => timeline));
}

export function isHanging({ scheduler }: Store, server: Server): boolean {
  return server.hangsUntil > scheduler.now();
}

/** A statement has arrived at its server. */
export function accept(store: Store, session: Session, statement: Statement): void {
  if (!session.isOpen) return;
  session.queue.push(statement);
  work(store, session);
}

/** The client or the server is gone; what was not committed is rolled back. */
export function endSession(store: Store, session: Session): void {
  if (!session.isOpen) return;
  session.isOpen = false;
  session.server.sessions.delete(session);
  session.queue = [];
  endTransaction(store, session, 'none');
  session.onClosed();
}

function work(store: Store, session: Session): void {
  const { random, trouble, count } = store;
  const [statement] = session.queue;
  if (!statement || !session.isOpen || session.isBusy || isHanging(store, session.server)) return;
  const { text } = statement;
  if (mustWait(store, session, text)) {
    if (!store.waiting.includes(session)) store.waiting.push(session);
    return;
  }
  session.queue.shift();
  if (session.idle) session.idle.isCancelled = true;
  const isLost = trouble.lostShare > 0 && random() < trouble.lostShare;
  if (isLost) store.happened('lost_connections');
  const what = text === 'commit' ? 'a commit' : 'a statement';
  if (isLost && random() < 0.5) {
    count(`connection lost before ${what}`);
    return endSession(store, session);
  }
  const end = (result: Result) => {
    session.isBusy = false;
    if (isLost) {
      count(`connection lost after ${what}`);
      return endSession(store, session);
    }
    if (isHanging(store, session.server)) session.unsent = () => statement.answer(result);
    else statement.answer(result);
    if (session.stage !== 'none') watchIdle(store, session);
    work(store, session);
  };
  if (text === 'commit') return commitThen(store, session, () => end({ rows: [] }));
  const isAlone = session.stage === 'none' && text !== 'begin';
  const result = perform(store, session, statement);
  if (text === 'rollback' && trouble.rollbackMs > 0) {
    // Its locks are free at once: others continue before it does.
    session.isBusy = true;
    return void store.scheduler.after(random() * trouble.rollbackMs, undefined, () => end(result));
  }
  if (!isAlone || 'rows' in result) {
    if (!isAlone || store.writer !== session) return end(result);
    return commitThen(store, session, () => end(result));
  }
  endTransaction(store, session, 'none');
  end(result);
}

/** The session is busy until its transaction is on the disk of the server. */
function commitThen(store: Store, session: Session, then: () => void): void {
  if (session.stage !== 'writing') {
    endTransaction(store, session, 'none');
    return then();
  }
  session.isBusy = true;
  store.scheduler.after(store.trouble.commitMs * (0.5 + store.random()), undefined, () => {
    if (!session.isOpen || store.writer !== session) return;
    const isReplaced = !isNewest(store, session.server);
    const { life, statements } = session;
    if (store.commits.work?.({ when: 'before', statements, life }) === true) {
      return endTransaction(store, session, 'none');
    }
    if (!isReplaced) {
      store.engine.run('commit');
      store.writer = undefined;
      if (session.movesMoney) noteLowest(store);
      if (/into deferred|allowances/.test(statements)) noteUncovered(store);
      store.commits.work?.({ when: 'after', statements, life });
    }
    endTransaction(store, session, 'none');
    // A primary that was replaced waits for a synchronous standby that it no longer has. Without
    // one it says that it has committed, and no other server has it.
    if (!isReplaced || !session.server.isSynchronous) then();
  });
}

function noteLowest({ engine, lowest }: Store): void {
  const rows = engine.run('select id, posted - held as free from accounts where posted < held');
  for (const { id, free } of rows) {
    lowest.set(String(id), Math.min(lowest.get(String(id)) ?? 0, Number(free)));
  }
}

/** Of each allowance that a row of the journal names: what is charged to it, and what is left of it. */
const overspent = `
  select s.account_id, s.cost - coalesce(a.granted - a.booked, 0) as beyond
  from (
    select e ->> 'account_id' as account_id, e #>> '{entry,reserved,gateway_id}' as gateway_id,
      sum(least(cast(e #>> '{entry,cost}' as bigint),
        cast(e #>> '{entry,reserved,amount}' as bigint))) as cost
    from deferred, jsonb_array_elements(cast(input as jsonb) -> 'batch') e
    where trouble is null group by 1, 2
  ) s left join allowances a on a.account_id = s.account_id and a.gateway_id = s.gateway_id
  where s.gateway_id is not null and s.cost > coalesce(a.granted - a.booked, 0)`;

/** The allowance of a gateway covers what its journal charges to it, however late that is booked. */
function noteUncovered({ engine, uncovered, hasLost }: Store): void {
  if (hasLost()) return;
  for (const { account_id, beyond } of engine.run(overspent)) {
    uncovered.add(`${String(account_id)} was charged ${String(beyond)} beyond an allowance`);
  }
}

/** Continues what waited for a server. */
export function resume(store: Store, server: Server): void {
  for (const session of server.sessions) {
    session.unsent?.();
    session.unsent = undefined;
    work(store, session);
  }
}

/** Ends the transaction on the engine, unless it is committed, and lets others go on. */
export function endTransaction(store: Store, session: Session, stage: Session['stage']): void {
  session.stage = stage;
  if (session.idle) session.idle.isCancelled = true;
  if (store.writer === session) {
    store.engine.run('rollback');
    store.writer = undefined;
  }
  if (store.writer) return;
  for (const run of store.between.splice(0)) run();
  for (const one of store.waiting.splice(0)) work(store, one);
}

function watchIdle(store: Store, session: Session): void {
  session.idle = store.scheduler.after(idleLimitMs, undefined, () => {
    store.count('idle in a transaction');
    endSession(store, session);
  });
}

export function isNewest(store: Store, { role, timeline }: Server): boolean {
  return role === 'primary' && timeline === newestTimeline(store);
}

function isOfSession(text: string): boolean {
  return (
    /^(?:begin|commit|rollback|set local|select set_config\()/.test(text) || isAboutServer(text)
  );
}

function isAboutServer(text: string): boolean {
  return text.includes('pg_is_in_recovery()') || text.includes('pg_backend_pid()');
}

const locking =
  /\bfor (?:update|share|no key update|key share)\b|\binsert into\b|\bupdate \w+ set\b|\bdelete from\b|advisory/i;

/** It leaves no lock behind. */
function isPlainRead(text: string): boolean {
  return /^\s*(?:select|with)\b/i.test(text) && !locking.test(text);
}

function mustWait({ writer }: Store, session: Session, text: string): boolean {
  if (!writer || writer === session || isOfSession(text) || session.stage === 'failed')
    return false;
  return !isLockedBy(writer, text);
}

/** It asks for an advisory lock without waiting, and this transaction has that lock. */
function isLockedBy(writer: Session, text: string): boolean {
  const asked = text.includes('pg_try_advisory') ? lockIn(text) : undefined;
  return asked !== undefined && writer.advisory.some((one) => lockIn(one) === asked);
}

function lockIn(text: string): string | undefined {
  return /advisory\w*\(([^)]*)\)/.exec(text)?.[1];
}

function perform(store: Store, session: Session, { text, values }: Statement): Result {
  try {
    return { rows: answerTo(store, session, text, values) };
  } catch (error) {
    if (session.stage !== 'none') endTransaction(store, session, 'failed');
    return { error: error as Error };
  }
}

function answerTo(store: Store, session: Session, text: string, values: readonly unknown[]): Row[] {
  const { engine, trouble, random, count } = store;
  if (isAboutServer(text)) return [describe(session)];
  if (text === 'rollback') endTransaction(store, session, 'none');
  if (text === 'begin') session.stage = 'reading';
  if (session.stage === 'failed') throw refusal('25P02', 'the transaction is aborted');
  // The settings of a session do not matter here: nothing in the engine waits.
  if (isOfSession(text)) return [];
  if (isPlainRead(text)) return ask(store, session.server, text, values);
  if (session.server.role === 'standby') throw refusal('25006', 'this is a standby');
  // Asks for an advisory lock that another transaction has.
  if (store.writer && store.writer !== session) return [{ [nameIn(text)]: false }];
  if (trouble.conflictShare > 0 && random() < trouble.conflictShare) {
    count('conflict');
    store.happened('conflicts');
    throw random() < 0.5
      ? refusal('40P01', 'deadlock detected')
      : refusal('40001', 'could not serialize access');
  }
  if (!store.writer) {
    engine.run('begin');
    store.writer = session;
    session.stage = 'writing';
    session.movesMoney = false;
    session.advisory = [];
    session.statements = '';
  }
  session.statements += `${text}\n`;
  if (text.includes('advisory')) session.advisory.push(text);
  session.movesMoney ||= text.includes('accounts');
  for (const [words, what] of counted) if (text.includes(words)) count(what);
  if (text.includes('delete from allowances') || text.includes(shrinks))
    for (const notice of store.returned) notice();
  return ask(store, session.server, text, values);
}

const shrinks = 'update allowances set granted = $3, version = $4, recalled = 0';
/** What shows that gateways take money from each other. */
const counted = [
  ['insert into allowances', 'allowance granted'],
  ['update allowances set recalled', 'allowance recalled'],
  ['delete from allowances', 'allowance closed'],
  [shrinks, 'allowance shrunk'],
  ['update deferred set trouble', 'row marked'],
] as const;

function nameIn(text: string): string {
  return / as (\w+)/.exec(text)?.[1] ?? 'locked';
}

/** The answers of a server to what is asked about itself. */
function describe({ id, server }: Session): Row {
  const { role, timeline } = server;
  const isStandby = role === 'standby';
  const hex = timeline.toString(16).padStart(8, '0');
  return { id, standby: isStandby, system: 'simulated', timeline: isStandby ? null : hex };
}

const ownClock = 'clock_timestamp()';
const realTime = /\b(?:now\(\)|current_timestamp|statement_timestamp|random\(\)|gen_random)/i;

/** On the engine, whose clock is the server's. */
function ask(
  { engine, scheduler }: Store,
  server: Server,
  text: string,
  values: readonly unknown[],
) {
  if (realTime.test(text)) throw new Error(`the simulation does not know the time in ${text}`);
  if (!text.includes(ownClock)) return engine.run(text, values);
  const now = (epochMs + scheduler.now() + server.clockOffsetMs) / 1000;
  const place = `to_timestamp(cast($${values.length + 1} as float8))`;
  return engine.run(text.replaceAll(ownClock, place), [...values, now]);
}
