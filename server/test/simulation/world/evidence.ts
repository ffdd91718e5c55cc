// What the judge knows of a run: what callers, vendors and receivers saw, and the rows of the store.
import type { Tenant, Wish } from './callers/caller.ts';
import type { VendorJob } from '../vendor-job.ts';
import type { Inspection } from './inspect.ts';
import type { Answer } from './network.ts';
import type { Outside } from './outside.ts';
import type { Plan } from './plan.ts';
import type { World } from './world.ts';

export interface Evidence {
  plan: Plan;
  wishes: readonly Wish[];
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
  /** Before a night: rows of each table, and how many requests there were. */
  evening: { rows: ReadonlyMap<string, number>; tries: number } | undefined;
  /** When the world ended. */
  endedAt: number;
  /** How many callers still wait for an answer. */
  waiting: number;
  /** Counts what the judge could not decide. */
  count: (what: string) => void;
  refusals: readonly string[];
  /** How each gateway is in the end. */
  gateways: readonly ReturnType<World['gateway']['state']>[];
  /** Commits of this time were lost by a failover without a synchronous standby. */
  lostTimes: readonly { from: number; to: number }[];
  /** Of gateways that share a store: the least that each account ever had free, if below zero. */
  lowest: ReadonlyMap<string, number>;
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
  asked: string;
}

export function isStatus(answer: Answer | undefined, from: number, to: number): boolean {
  return answer?.kind === 'answer' && answer.status >= from && answer.status <= to;
}

/** A vendor works for a job; its recording has a name that the caller knows, or only the job. */
export function isWorkOf({ audio_url, token }: VendorJob, subject: string, jobId: string): boolean {
  return audio_url.includes(subject) || token.startsWith(`${jobId}.`);
}

/** An operator moves money. */
export function isMovement({ kind }: Pick<Wish, 'kind'>): boolean {
  return kind === 'topup' || kind === 'refund' || kind === 'adjust';
}
