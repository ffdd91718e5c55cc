// JobContext: what the functions of this module need, and how a job's callback address, token and
// credential are derived from it.
import type { ProviderId, TranscriberId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { sameText, signWords } from '../platform/signatures.ts';
import type { Attempt, TranscribeProduct } from '../providers/index.ts';
import type { JobRow } from './store/jobs.ts';
import {
  type ConfiguredProviders,
  type Connection,
  isReady,
  keysOf,
  nextKey,
  type ReadyProvider,
} from '../upstream/index.ts';
import type { UnprovenBodies } from './callback-body.ts';
import type { Database } from '../store/index.ts';
import type { Latencies } from '../upstream/core/index.ts';
import type { BillingContext, Ledger, StoppedAccounts } from '../billing/index.ts';
import type { ServiceMetrics } from '../requests/index.ts';
import type { PriceTable } from '../billing/core/index.ts';
import type { ByteHold } from '../platform/byte-budget.ts';
import type { ContentContext } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Settings } from '../settings/index.ts';
import type { UploadContext } from '../uploads/index.ts';
import type { JobEnds } from './wait-for-end.ts';
import type { LookupAnswers } from './lookup-answers.ts';
import type { TranscriptReader } from './read-transcript.ts';
import type { TranscriptNotes } from './core/transcript.ts';

/** The settings that jobs read. */
export type JobSettings = Pick<
  Settings,
  | 'auto_transcription'
  | 'auto_routing'
  | 'extras'
  | 'job_deadline_minutes'
  | 'job_hold_minutes'
  | 'keep_query_hours'
  | 'max_audio_minutes'
  | 'max_request_usd'
  | 'overdraft_usd'
  | 'callback_base'
>;

/** What a job's callback address, token and credential are derived from. */
export interface AttemptContext {
  /** Signs callback addresses. */
  secret: string;
  providers: ConfiguredProviders;
  settings: Pick<Settings, 'extras' | 'callback_base'>;
}

/** What submitting, polling and looking up a job needs. */
export interface SpeechCallContext extends Connection, AttemptContext {
  prices: PriceTable;
  reader: Pick<TranscriptReader, 'read'>;
  uploads: UploadContext;
  /** Counts a long answer towards the memory limit until it is recorded. */
  room?: ByteHold;
}

/** What moving a job from state to state needs. */
export interface TransitionContext extends AttemptContext {
  clock: Clock;
  database: Database;
  ledger: Pick<Ledger, 'release' | 'settle'>;
  /** Names this process in leases. */
  owner: string;
  /** A random number from 0 to 1. */
  random: () => number;
  latencies?: Latencies;
  /** Called with notes about a transcript that an operator should see. */
  onTranscript?: (job: Pick<JobRow, 'id' | 'provider'>, notes: TranscriptNotes) => void;
  /** Called when a job has ended and its event can be delivered. */
  onEnd?: (jobId: string) => void;
  settings: Pick<Settings, 'extras' | 'callback_base'>;
}

/** What receiving a callback needs. */
export interface CallbackContext extends AttemptContext {
  clock: Clock;
  database: Database;
  /** Wakes the worker because a job is due now. */
  nudge: () => void;
  /** Buffers callbacks until their signature is verified. */
  unproven: UnprovenBodies;
}

export interface JobContext
  extends
    BillingContext,
    SpeechCallContext,
    Omit<TransitionContext, 'ledger'>,
    CallbackContext,
    ContentContext {
  metrics?: ServiceMetrics;
  reader: TranscriptReader;
  lookupAnswers: LookupAnswers;
  /** The jobs whose transcript arrives as the answer to a request in progress. */
  synchronous: Set<Pick<JobRow, 'id' | 'provider'>>;
  /** For callers who wait for the end of a job. */
  ends: JobEnds;
  settings: JobSettings;
  /** Stops the spending of an account for which a rule was broken. */
  stopped?: Pick<StoppedAccounts, 'note'>;
}

/**
 * The host of a callback address that is never called. AssemblyAI echoes the address, so a look-up
 * can find the job without a public URL.
 */
const nowhere = 'https://no-public-address.invalid';

const credentialNameChars = 16;

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
export function callbackUrl(context: AttemptContext, job: JobRow): string | null {
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
  { settings }: Pick<AttemptContext, 'settings'>,
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
  { secret }: Pick<AttemptContext, 'secret'>,
  { upstream }: ReadyProvider,
  { credential }: JobRow,
): string | undefined {
  if (credential === null) return upstream.key;
  return keysOf(upstream).find((key) => credentialName(secret, key) === credential);
}

/** The next credential in rotation. Null if the provider needs none. */
export function nextCredential(context: AttemptContext, provider: ProviderId): string | null {
  const { guard, upstream } = context.providers[provider];
  const key = guard ? nextKey(guard) : upstream?.key;
  return key === undefined ? null : credentialName(context.secret, key);
}

/** The current attempt of a job, in the adapter's terms. */
export function attemptOf(context: AttemptContext, job: JobRow): Attempt {
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
  context: Pick<AttemptContext, 'providers'>,
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
  context: Pick<AttemptContext, 'providers'>,
  provider: ProviderId,
): ReadyProvider | undefined {
  const { upstream, ...configured } = context.providers[provider];
  return upstream && { ...configured, upstream };
}

/** Why the provider gets no new work. Undefined if it may get work. */
export function reasonForNoWork(
  { providers }: Pick<AttemptContext, 'providers'>,
  provider: ProviderId,
): string | undefined {
  const configured = providers[provider];
  if (isReady(configured)) return undefined;
  return configured.state === 'disabled'
    ? 'the provider is disabled on this deployment'
    : 'the provider has no credential on this deployment';
}

export function jobStoreUnavailable(cause: unknown): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The gateway cannot reach its store at the moment. Nothing was started; try again shortly.',
    undefined,
    { status: 503, headers: { 'retry-after': '1' }, cause },
  );
}
