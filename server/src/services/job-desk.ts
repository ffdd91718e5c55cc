// What everything about jobs is handed: the house, the secret behind callback addresses, and the
// way jobs are moved.
import type { ProviderId, TranscriberId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { sameText, signWords } from '../platform/signatures.ts';
import type { TranscribeProduct } from '../providers/transcribe-product.ts';
import type { Attempt } from '../providers/transcribe-product.ts';
import type { JobRow } from '../store/jobs.ts';
import { isReady } from './choose-provider.ts';
import type { Chosen } from './choose-provider.ts';
import { keysOf, nextKey } from './guard.ts';
import type { UnprovenRoom } from './delivery-body.ts';
import type { House } from './house.ts';
import type { TranscriptReader } from './read-transcript.ts';

export interface JobDesk {
  house: House;
  secret: string;
  /** Names this process in leases. */
  owner: string;
  reader: TranscriptReader;
  /** A number from 0 to 1 by chance. */
  chance: () => number;
  /** Tells the worker that something is due now. */
  nudge: () => void;
  /** Where deliveries stay until their signature is proven. */
  unproven: UnprovenRoom;
}

/**
 * The host of an address that is never called: AssemblyAI echoes it, which is all we need without
 * a public one.
 */
const nowhere = 'https://no-public-address.invalid';

const credential_name_chars = 16;

export function tokenOf(job: Pick<JobRow, 'id' | 'attempt'>): string {
  return `${job.id}.${job.attempt}`;
}

/** Undefined for what we did not sign. */
export function readCallbackToken(
  secret: string,
  text: string,
): { job_id: string; attempt: number } | undefined {
  const [, job_id, attempt, sign] =
    /^(job_[0-9a-f-]{36})\.(\d{1,9})\.([0-9a-f]{40})$/.exec(text) ?? [];
  if (job_id === undefined || attempt === undefined || sign === undefined) return undefined;
  const expected = signWords(secret, `callback ${job_id}.${attempt}`);
  return sameText(sign, expected) ? { job_id, attempt: Number(attempt) } : undefined;
}

export function attemptSecret(secret: string, token: string): string {
  return signWords(secret, `callback secret ${token}`);
}

/** Where this attempt is to be called back; null for the provider's synchronous form. */
export function callbackUrl({ house, secret }: JobDesk, job: JobRow): string | null {
  const product = productOf(house, job.provider);
  const { public_url } = house.settings;
  const token = tokenOf(job);
  const path = `/callbacks/${job.provider}/${token}.${signWords(secret, `callback ${token}`)}`;
  if (!canCallBack(house, product)) {
    return product.callback.otherwise === 'polled' ? nowhere + path : null;
  }
  return (
    (public_url ?? nowhere) + (product.callback.fixed_address ? `/callbacks/${job.provider}` : path)
  );
}

export function canCallBack({ settings }: House, { callback }: TranscribeProduct): boolean {
  return (
    settings.public_url !== undefined &&
    callback.needs.every((name) => name === 'TRIVIUM_PUBLIC_URL' || name in settings.extras)
  );
}

/** A name for a credential under which a job may keep it: it tells nothing of the credential. */
export function credentialName(secret: string, key: string): string {
  return signWords(secret, `credential ${key}`).slice(0, credential_name_chars);
}

/** The credential a job was submitted with; undefined when it is no longer here. */
export function keyOfJob(
  { secret }: JobDesk,
  { upstream }: Chosen,
  { credential }: JobRow,
): string | undefined {
  if (credential === null) return upstream.key;
  return keysOf(upstream).find((key) => credentialName(secret, key) === credential);
}

/** Whose turn it is to submit; null where the provider needs no credential. */
export function nextCredential({ house, secret }: JobDesk, provider: ProviderId): string | null {
  const { guard, upstream } = house.stations[provider];
  const key = guard ? nextKey(guard) : upstream?.key;
  return key === undefined ? null : credentialName(secret, key);
}

/** The attempt that a job is at, in the adapter's terms. */
export function attemptOf({ house, secret }: JobDesk, job: JobRow): Attempt {
  const token = tokenOf(job);
  return {
    audio_url: job.request.audio_url,
    ask: job.request.ask,
    token,
    ...(job.callback_url === null
      ? {}
      : { callback: { url: job.callback_url, secret: attemptSecret(secret, token) } }),
    submitted_at: new Date(job.submitted_at ?? job.created_at),
    extras: house.settings.extras,
  };
}

export function productOf(house: House, provider: TranscriberId): TranscribeProduct {
  const product = house.stations[provider].provider.transcribe;
  if (!product) throw new Error(`${provider} has no transcription product`);
  return product;
}

/** Undefined when the operator took the provider's credential away while the job was under way. */
export function stationOf(house: House, provider: ProviderId): Chosen | undefined {
  const station = house.stations[provider];
  return isReady(station) ? station : undefined;
}

export function jobStoreUnavailable(cause: unknown): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The store of jobs cannot be reached at the moment. Nothing was started; try again shortly.',
    undefined,
    { status: 503, headers: { 'retry-after': '1' }, cause },
  );
}
