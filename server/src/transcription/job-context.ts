// JobContext: what the functions of this module need, and how a job's callback address, token and
// credential are derived from it.
import type { ProviderId, TranscriberId } from '@trivium/contract';
import type { BillingContext, StoppedAccounts } from '../billing/index.ts';
import type { ContentContext } from '../content/index.ts';
import type { ByteHold } from '../platform/byte-budget.ts';
import { sameText, signWords } from '../platform/ids.ts';
import type { Attempt, TranscribeProduct } from '../providers/index.ts';
import type { ServiceMetrics } from '../requests/index.ts';
import type { Settings } from '../settings/index.ts';
import type { UploadContext } from '../uploads/index.ts';
import {
  type ReadyProvider,
  type UpstreamContext,
  isReady,
  keysOf,
  nextKey,
} from '../upstream/index.ts';
import type { TranscriptReader } from './read-transcript.ts';
import type { JobRow } from './store/jobs.ts';
import type { JobEnds } from './wait-for-end.ts';

/** What the verbs of this module need. */
export interface JobContext extends BillingContext, UpstreamContext, ContentContext {
  settings: Settings;
  metrics?: ServiceMetrics;
  uploads: UploadContext;
  /** Signs callback addresses. */
  secret: string;
  /** Names this process in leases. */
  owner: string;
  /** A random number from 0 to 1. */
  random: () => number;
  reader: TranscriptReader;
  lookupAnswers: LookupAnswers;
  /** Buffers callbacks until their signature is verified. */
  unproven: { enter: () => UnprovenBody };
  /** The jobs whose transcript arrives as the answer to a request in progress. */
  synchronous: Set<Pick<JobRow, 'id' | 'provider'>>;
  /** For callers who wait for the end of a job. */
  ends: JobEnds;
  /** Called when a job has ended and its event can be delivered. */
  onEnd?: (jobId: string) => void;
  /** Wakes the worker because a job is due now. */
  nudge: () => void;
  /** Stops the spending of an account for which a rule was broken. */
  stopped?: Pick<StoppedAccounts, 'note'>;
  /** Counts a long answer towards the memory limit until it is recorded. Set for one round. */
  room?: ByteHold;
}

/** The answers of providers to look-ups, shared by all look-ups in this process. */
export interface LookupAnswers {
  /** Makes the value only if it is not known. One that is not `isKept` serves this moment only. */
  share: <T>(
    key: string,
    keptMs: number,
    make: () => Promise<T>,
    isKept?: (value: T) => boolean,
  ) => Promise<T>;
  /** Counts a call with a provider's credential. False if there were too many in a minute. */
  mayCall: (source: string) => boolean;
}

/** One body that is not authenticated yet. */
export interface UnprovenBody {
  /** Counts a chunk that is buffered in memory. */
  keep: (chunk: Uint8Array) => void;
  /** Resolves when the body is evicted. */
  cut: Promise<Error>;
  leave: () => void;
}

/**
 * The host of a callback address that is never called. AssemblyAI echoes the address, so a look-up
 * can find the job without a public URL.
 */
const nowhere = 'https://no-public-address.invalid';

const credentialNameChars = 16;

export function holdId(jobId: string): `job:${string}` {
  return `job:${jobId}`;
}

function tokenOf(job: Pick<JobRow, 'id' | 'attempt'>): string {
  return `${job.id}.${job.attempt}`;
}

/** Undefined unless the gateway signed the token. */
export function readCallbackToken(
  secret: string,
  text: string,
): { job_id: string; attempt: number } | undefined {
  const [, jobId, attempt, sign] =
    /^(job_[0-9a-f-]{36})\.(\d{1,9})\.([0-9a-f]{40})$/.exec(text) ?? [];
  if (jobId === undefined || attempt === undefined || sign === undefined) return undefined;
  const expected = signWords(secret, `callback ${jobId}.${attempt}`);
  return sameText(sign, expected) ? { job_id: jobId, attempt: Number(attempt) } : undefined;
}

export function attemptSecret(secret: string, token: string): string {
  return signWords(secret, `callback secret ${token}`);
}

/** Where the provider calls back for this attempt. Null if the provider answers synchronously. */
export function callbackUrl(context: JobContext, job: JobRow): string | null {
  const product = productOf(context, job.provider);
  const { callback_base } = context.settings;
  const token = tokenOf(job);
  const signature = signWords(context.secret, `callback ${token}`);
  const path = `/callbacks/${job.provider}/${token}.${signature}`;
  if (!canCallBack(context, product)) {
    return product.callback.otherwise === 'polled' ? nowhere + path : null;
  }
  return (
    (callback_base ?? nowhere) +
    (product.callback.fixed_address ? `/callbacks/${job.provider}` : path)
  );
}

export function canCallBack(
  { settings }: Pick<JobContext, 'settings'>,
  { callback }: TranscribeProduct,
): boolean {
  return (
    settings.callback_base !== undefined &&
    callback.needs.every((name) => name === 'TRIVIUM_PUBLIC_URL' || name in settings.extras)
  );
}

/** The name under which a job stores its credential: an HMAC that does not reveal it. */
export function credentialName(secret: string, key: string): string {
  return signWords(secret, `credential ${key}`).slice(0, credentialNameChars);
}

/** The credential that a job was submitted with. Undefined if it was removed. */
export function keyOfJob(
  { secret }: Pick<JobContext, 'secret'>,
  { upstream }: ReadyProvider,
  { credential }: JobRow,
): string | undefined {
  if (credential === null) return upstream.key;
  return keysOf(upstream).find((key) => credentialName(secret, key) === credential);
}

/** The next credential in rotation. Null if the provider needs none. */
export function nextCredential(context: JobContext, provider: ProviderId): string | null {
  const { guard, upstream } = context.providers[provider];
  const key = guard ? nextKey(guard) : upstream?.key;
  return key === undefined ? null : credentialName(context.secret, key);
}

/** The current attempt of a job, in the adapter's terms. */
export function attemptOf(context: JobContext, job: JobRow): Attempt {
  const token = tokenOf(job);
  return {
    audio_url: job.request.audio_url,
    ask: job.request.ask,
    options: job.request.options,
    token,
    ...(job.callback_url === null
      ? {}
      : { callback: { url: job.callback_url, secret: attemptSecret(context.secret, token) } }),
    submitted_at: new Date(job.submitted_at ?? job.created_at),
    extras: context.settings.extras,
  };
}

export function productOf(
  context: Pick<JobContext, 'providers'>,
  provider: TranscriberId,
): TranscribeProduct {
  const product = context.providers[provider].provider.transcribe;
  if (!product) throw new Error(`${provider} has no transcription product`);
  return product;
}

/**
 * The provider of a job, even if it is disabled, because the gateway follows accepted jobs until
 * they end. Undefined if the operator removed its credential while the job was running.
 */
export function callableProviderOf(
  context: Pick<JobContext, 'providers'>,
  provider: ProviderId,
): ReadyProvider | undefined {
  const { upstream, ...configured } = context.providers[provider];
  return upstream && { ...configured, upstream };
}

/** Why the provider gets no new work. Undefined if it may get work. */
export function reasonForNoWork(
  { providers }: Pick<JobContext, 'providers'>,
  provider: ProviderId,
): string | undefined {
  const configured = providers[provider];
  if (isReady(configured)) return undefined;
  return configured.state === 'disabled'
    ? 'the provider is disabled on this deployment'
    : 'the provider has no credential on this deployment';
}
