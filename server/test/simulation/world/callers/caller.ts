// What callers are: someone with a key, who wants things and remembers what was answered.
import type { Answer } from '../network.ts';
import type { CallerKind } from '../plan.ts';
import type { Life } from '../scheduler.ts';
import type { World } from '../world.ts';

/** One thing that a caller wants, however often it asks for it. */
export interface Operation {
  id: string;
  kind:
    | 'search'
    | 'cached'
    | 'extract'
    | 'transcribe'
    | 'topup'
    | 'refund'
    | 'adjust'
    | 'balance'
    | 'change'
    | 'upload'
    | 'token'
    | 'revoke'
    | 'other';
  caller: CallerKind;
  account: number;
  /** The `Idempotency-Key` of all tries; absent, there is one try. */
  key?: string;
  amount?: number;
  /** Of a search or an extraction that names no provider of its own: `engine_a`. */
  provider?: string;
  /** Of an extraction of several pages. */
  pages?: number;
  /** The value of its tag `team`, which may have a budget. */
  team?: string;
  /** The request that is refunded. */
  of?: string;
  /** What an operator changes. */
  change?: Change;
  /** Its key does not work any more. */
  isForbidden?: boolean;
  /** It is sent with this key, and not with the usual one of its account. */
  secret?: string;
  tries: Try[];
  /** An upload that its caller has asked to delete. */
  isDeleted?: boolean;
  /** What is transcribed, if it was uploaded before. */
  upload?: { id: string; audio_url: string };
  /** A transcription in OpenAI's shape, with its recording. */
  isForm?: boolean;
  /** Of an application: the code that began its access, and the code or token that it sends. */
  access?: { code: string; sent: string };
  /** Of a transcription. */
  jobId?: string;
  job?: Answer;
}

/** What an operator asks for. */
export interface Change {
  path: string;
  method: 'POST' | 'PATCH' | 'DELETE';
  body?: object;
  /** Searches of the account are allowed from then on, or not. */
  allowsSearch?: boolean;
  /** The cap of the capped key from then on. */
  cap?: number;
  /** What requests of this team may spend in a day from then on. */
  budget?: { team: string; cap: number };
}

export interface Try {
  calledAt: number;
  returnedAt: number;
  answer?: Answer;
}

export interface Tenant {
  accountId: string;
  key: string;
  keyId: string;
  /** Another key of the account, with a daily cap. */
  capped: { key: string; keyId: string };
  /** The application that its person has let in, and codes that it has not exchanged yet. */
  client: string;
  codes: string[];
  grants: Grant[];
}

/** The access of an application, as far as the application knows it. */
export interface Grant {
  code: string;
  /** The place of its caller. */
  owner: number;
  /** The newest come last. */
  tokens: { access: string; refresh: string }[];
}

export interface Caller {
  world: World;
  life: Life;
  kind: CallerKind;
  /** Its place among all callers. */
  at: number;
  account: number;
  tenant: Tenant;
  operations: Operation[];
  isOver: () => boolean;
}

/** What a caller of one kind does, again and again. */
export type Turn = (caller: Caller) => Promise<void>;

/** Names an operation in what vendors and the request log see of it. */
export function subjectOf({ id, upload }: Pick<Operation, 'id' | 'upload'>): string {
  return upload?.id ?? `operation-${id}-`;
}
