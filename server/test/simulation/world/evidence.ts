// What the checker knows of a run: what callers, vendors and receivers saw, and the rows of the store.
import { type Operation, subjectOf, type Tenant } from './callers/caller.ts';
import type { VendorJob } from '../vendor-job.ts';
import { type Incident, isTouched } from './incidents.ts';
import type { Inspection } from './inspect.ts';
import type { Answer } from './network.ts';
import type { EngineCall, Outside } from './outside.ts';
import { type FaultKind, type Plan, serverFaultKinds } from './plan.ts';
import type { Slot } from './slot.ts';
import type { World } from './world.ts';

export interface Evidence {
  plan: Plan;
  operations: readonly Operation[];
  outside: Outside;
  tenants: readonly Tenant[];
  /** Reads the store. */
  read: World['read'];
  /** What the gateway had in memory when nothing was open; absent if that never was. */
  inspected: Inspection | undefined;
  /** What is in the folder and in the bucket of uploads. */
  files: ReturnType<World['files']['list']>;
  /** Uploads in parts that are not completed in the bucket. */
  unfinished: ReturnType<World['files']['listUnfinished']>;
  /** Before an idle time: rows of each table, and how many requests there were. */
  beforeIdle: { rows: ReadonlyMap<string, number>; tries: number } | undefined;
  /** When the world ended. */
  endedAt: number;
  /** How many callers still wait for an answer. */
  waiting: number;
  /** Counts what the checker could not decide. */
  count: (what: string) => void;
  refusals: Slot['refusals'];
  /** What went wrong. */
  incidents: readonly Incident[];
  /** What did not hold while the gateways ran, in words. */
  broken: readonly string[];
  /** How each gateway is in the end. */
  gateways: readonly ReturnType<World['gateway']['state']>[];
  /** Commits of this time were lost by a failover without a synchronous standby. */
  lostTimes: readonly { from: number; to: number }[];
  /** Of gateways that share a store: the least that each account ever had free, if below zero. */
  lowest: ReadonlyMap<string, number>;
  /** Of gateways that share a store: what their allowances did not cover, in words. */
  uncovered: ReadonlySet<string>;
}

/** A row of the ledger, with the request that it paid for. In the order in which they were booked. */
export interface Line {
  id: string;
  kind: string;
  accountId: string;
  amount: number;
  /** What was held for a settlement. */
  held: number | null;
  keyId: string | null;
  holdId: string | null;
  reason: string | null;
  /** By the clock of the gateway. */
  createdAt: number;
  asked: string;
}

export function isStatus(answer: Answer | undefined, from: number, to: number): boolean {
  return answer?.kind === 'answer' && answer.status >= from && answer.status <= to;
}

/** A vendor works for a job; its recording has a name that the caller knows, or only the job. */
export function isWorkOf({ audio_url, token }: VendorJob, subject: string, jobId: string): boolean {
  return audio_url.includes(subject) || token.startsWith(`${jobId}.`);
}

/** When an operation was first asked for, and when it was last answered. */
export function timeOf({ tries }: Operation): { from: number; to: number } {
  return { from: tries[0]?.calledAt ?? Infinity, to: tries.at(-1)?.returnedAt ?? Infinity };
}

/** The calls of engines for an operation. */
export function callsOf({ outside }: Evidence, operation: Operation): EngineCall[] {
  const subject = subjectOf(operation);
  return outside.engineCalls.filter((call) => !call.isShadow && call.subject.includes(subject));
}

/** Gateways that share a store take each other for dead, or know late what another one has changed. */
export const takenForDead: readonly FaultKind[] = ['freeze', ...serverFaultKinds];

/** A clock that jumped meanwhile may have ended a hold, a claim or a day before its time. */
export function isTimely(evidence: Evidence, from: number, to: number): boolean {
  return !isTouched(evidence, ['clock_jump'], from, to);
}

/** What a request that reached the ledger or an engine was for. */
export function operationIn(
  { operations }: Pick<Evidence, 'operations'>,
  words: string,
): Operation | undefined {
  const id = /operation-(op\d+)-/.exec(words)?.[1];
  return id === undefined ? undefined : operations[Number(id.slice(2))];
}

/** A charge of its own account, because shadows of it are charged to another one. */
export function isChargeOf({ tenants }: Evidence, operation: Operation, line: Line): boolean {
  const isOwn = line.accountId === tenants[operation.account]?.accountId;
  return isOwn && line.kind === 'settle' && line.asked.includes(subjectOf(operation));
}

/** It pays for several calls. */
export function isSummed({ provider, pages = 1 }: Operation): boolean {
  return provider === 'fusion' || pages > 1;
}

/** An operator moves money. */
export function isMovement({ kind }: Pick<Operation, 'kind'>): boolean {
  return kind === 'topup' || kind === 'refund' || kind === 'adjust';
}

/** What was committed for it may be gone: the standby of a primary that failed did not have it. */
export function mayBeLost({ lostTimes }: Evidence, { kind, tries }: Operation): boolean {
  const [first, last] = [tries[0]?.calledAt ?? 0, tries.at(-1)?.returnedAt ?? 0];
  const endedAt = kind === 'transcribe' ? Infinity : last + longestUnseenMs;
  return lostTimes.some(({ from, to }) => first <= to && endedAt >= from);
}

/** So long a request may run whose caller is gone. */
const longestUnseenMs = 60_000;
