// The interface for speech vendors: a vendor's whole protocol as pure functions. The worker handles
// time, sending and signatures.
import type { TranscribeAsk } from '../../negotiation/index.ts';
import type { Reply } from '../../upstream/core/index.ts';
import type { Failure, Submission, TranscriptReading } from '../../transcription/core/index.ts';
import type { WireFile, WireRequest } from './wire-request.ts';
import type { Row } from './rows.ts';
import type { RefusedOptions } from './refused-options.ts';
import type { SpeechPrice } from './speech-price.ts';

/** One attempt to transcribe a recording. */
export interface Attempt {
  audio_url: string;
  /** Set if the vendor cannot fetch the recording, so it is sent with the submission. */
  file?: WireFile;
  ask: TranscribeAsk;
  /** The caller's native options, which are merged into the submission. */
  options: Readonly<Record<string, unknown>>;
  /** `<job id>.<attempt>`, put wherever the vendor echoes a value of ours. */
  token: string;
  /** Where the vendor calls back. Undefined if it answers synchronously. */
  callback?: { url: string; secret: string };
  /** When the attempt was recorded, before anything was sent. */
  submitted_at: Date;
  /** Vendor settings, by variable name. */
  extras: Readonly<Record<string, string>>;
}

/** The result of storing a recording with a vendor, before the submission that costs money. */
export type Stored =
  | { kind: 'stored'; audio_url: string }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'trouble'; reason: string };

export type Progress =
  | { kind: 'running' }
  | { kind: 'done'; reading: TranscriptReading; provider_job_id?: string }
  | { kind: 'failed'; failure: Failure }
  /** The question itself failed, so nothing was learnt about the job. */
  | { kind: 'trouble'; reason: string; retry_after_ms?: number };

export type CallbackReport =
  | Exclude<Progress, { kind: 'running' | 'trouble' }>
  /** Something happened, so ask the vendor now. */
  | { kind: 'hint'; provider_job_id?: string }
  | { kind: 'nothing' };

/** One step of a look-up: another question, or its result. */
export type LookupStep =
  | {
      kind: 'ask';
      wire: WireRequest;
      state: unknown;
      /** The part of the answer that is read. The look-ups of other attempts share it. */
      keep: (body: unknown) => unknown;
      /** True if this part never changes. */
      isFinal?: true;
    }
  /** `transcribed`: the vendor has finished, and only its callback is missing. */
  | { kind: 'accepted'; provider_job_id: string | null; transcribed?: true }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'absent' };

/** The settings known before the vendor is asked. */
export interface VendorSettings {
  /** From the settings, by variable name. */
  extras: Readonly<Record<string, string>>;
  /**
   * Where the vendor can call this gateway: the part of the address that is the same for every
   * attempt.
   */
  callback_url: string;
}

/** One step of discovering missing settings: another request, or the result. */
export type Discovery =
  | { kind: 'ask'; wire: WireRequest; state: unknown }
  /** `found` is by variable name. `message` explains the result to the operator. */
  | { kind: 'over'; found: Readonly<Record<string, string>>; message?: string };

/** How a callback is authenticated, in addition to its unguessable address. */
type CallbackProof =
  /** A header contains the secret of the attempt. */
  | { kind: 'attempt_secret'; header: string }
  /**
   * A header contains one of the values in this setting, which are separated by commas. Not checked
   * if the setting is absent.
   */
  | { kind: 'known_value'; header: string; setting: string }
  /**
   * A header signs the time and the body: `t=<seconds>,v0=<hex>`, HMAC-SHA256 over `<t>.<body>`.
   */
  | { kind: 'signed_body'; header: string; setting: string; tolerance_s: number };

export interface TranscribeProduct {
  supports: Readonly<{ model: Row; timestamps: Row } & Partial<Record<keyof TranscribeAsk, Row>>>;
  /** The native option with which a caller names the model, and the default model. */
  model: {
    option: string;
    default: string;
    /** The model that other native options name, if that is not `option` itself. */
    named?: (options: Readonly<Record<string, unknown>>) => string | undefined;
    /** Why a model cannot be used for recordings at all. */
    refuse?: (model: string) => string | undefined;
  };
  /** Settings of the transport, which callers may not set, each with what to do instead. */
  refused_options: RefusedOptions;
  options_go_to: 'body' | 'query' | 'form';
  /** The options that belong in the query although the others are in a form. */
  query_options?: readonly string[];
  /** How many jobs the vendor works on at a time, across all gateways. */
  concurrency: number;
  callback: {
    proof: CallbackProof;
    /** True if the vendor calls a fixed URL and names the attempt in the body. */
    fixed_address: boolean;
    /** The settings that are required before the vendor can call back. */
    needs: readonly string[];
    /** What the vendor does without a public address. */
    otherwise: 'polled' | 'synchronous';
  };
  /** How the vendor's API provides settings that the operator did not set. */
  discovery?: {
    first: (given: VendorSettings) => Discovery;
    next: (reply: Reply, state: unknown, given: VendorSettings) => Discovery;
  };
  /** A request that costs nothing, and the statuses that show a valid credential. */
  check: { wire: WireRequest; statuses: readonly number[] };
  /**
   * For a vendor that accepts a file in a separate request, which may be repeated. Without it, the
   * submission contains the file.
   */
  storage?: { toStore: (file: WireFile) => WireRequest; fromStore: (reply: Reply) => Stored };
  toSubmit: (attempt: Attempt) => WireRequest;
  fromSubmit: (reply: Reply, attempt: Attempt) => Submission;
  /** Undefined if nothing can be polled: the result only arrives by callback. */
  toPoll?: (providerJobId: string) => WireRequest;
  fromPoll?: (reply: Reply, attempt: Attempt) => Progress;
  /**
   * Undefined if the vendor has no way to find a submission again. `known` are the vendor's ids of
   * other jobs.
   */
  toLookup?: (attempt: Attempt, known?: ReadonlySet<string>) => LookupStep;
  fromLookup?: (reply: Reply, state: unknown, attempt: Attempt, now: Date) => LookupStep;
  /** `body` is the text itself if it is not JSON. */
  fromCallback: (body: unknown, attempt: Attempt) => CallbackReport;
  /**
   * Finds the token in a part of a callback's text, if the address does not contain it. Parsing a
   * long body just for that would delay other requests.
   */
  tokenIn?: (text: string) => string | undefined;
  /** The pauses between polls in seconds, in order. The last value repeats. */
  poll_after_s: readonly number[];
  lookup_after_s: readonly number[];
  /** How long after its submission a model's result may still arrive by callback. */
  callback_bound_s?: (model: string) => number;
  /**
   * How long the vendor works on a recording at most. Required if it may answer synchronously: after
   * this time no answer to an interrupted call can arrive.
   */
  processing_bound_s?: (model: string) => number;
  price: SpeechPrice;
}
