// The port for speech: a vendor's whole conversation as pure functions. The worker owns time,
// sending and signatures.
import type { Support, TranscribeAsk, TranscribeParam } from '../../negotiation/index.ts';
import type { Reply } from '../../upstream/core/index.ts';
import type { Failure, Submission, TranscriptReading } from '../../transcription/core/index.ts';
import type { WireFile, WireRequest } from './wire-request.ts';
import type { RefusedOptions } from './refused-options.ts';
import type { SpeechPrice } from './speech-price.ts';

/** One attempt to have a recording transcribed. */
export interface Attempt {
  audio_url: string;
  /** The vendor cannot fetch the recording, so it is sent with the submission. */
  file?: WireFile;
  ask: TranscribeAsk;
  /** The caller's native options, which are merged into the submission. */
  options: Readonly<Record<string, unknown>>;
  /** `<job id>.<attempt>`: goes wherever the vendor echoes something of ours. */
  token: string;
  /** Where the vendor is to call back; undefined for its synchronous form. */
  callback?: { url: string; secret: string };
  /** When the attempt was put on record, before anything was sent. */
  submitted_at: Date;
  /** Vendor settings, by variable name. */
  extras: Readonly<Record<string, string>>;
}

/** What came of storing a recording with a vendor, before the submission that costs money. */
export type Stored =
  | { kind: 'stored'; audio_url: string }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'trouble'; reason: string };

export type Progress =
  | { kind: 'running' }
  | { kind: 'done'; reading: TranscriptReading; provider_job_id?: string }
  | { kind: 'failed'; failure: Failure }
  /** The question itself failed; nothing was learnt about the job. */
  | { kind: 'trouble'; reason: string; retry_after_ms?: number };

export type CallbackReport =
  | Exclude<Progress, { kind: 'running' | 'trouble' }>
  /** Something happened: ask the vendor now. */
  | { kind: 'hint'; provider_job_id?: string }
  | { kind: 'nothing' };

/** One step of a look-up: a further question, or what it established. */
export type LookupStep =
  | { kind: 'ask'; wire: WireRequest; state: unknown }
  /** `transcribed`: the vendor has finished, and only its callback is outstanding. */
  | { kind: 'accepted'; provider_job_id: string | null; transcribed?: true }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'absent' };

/** The settings known before the vendor is asked. */
export interface VendorSettings {
  /** From the settings, by variable name. */
  extras: Readonly<Record<string, string>>;
  /** Where the vendor would find us, as far as the address is the same for every attempt. */
  callback_url: string;
}

/** One step of discovering missing settings: another request, or the result. */
export type Discovery =
  | { kind: 'ask'; wire: WireRequest; state: unknown }
  /** `found` by variable name; `message` explains it to the operator. */
  | { kind: 'over'; found: Readonly<Record<string, string>>; message?: string };

/** How a delivery is authenticated, in addition to the unguessable address. */
type CallbackProof =
  /** A header holds the secret of the attempt. */
  | { kind: 'attempt_secret'; header: string }
  /**
   * A header holds a value that the settings know under this name, one or several with commas;
   * unchecked while they do not.
   */
  | { kind: 'known_value'; header: string; setting: string }
  /** A header signs time and body: `t=<seconds>,v0=<hex>`, HMAC-SHA256 over `<t>.<body>`. */
  | { kind: 'signed_body'; header: string; setting: string; tolerance_s: number };

export interface TranscribeProduct {
  supports: Readonly<
    { model: Support; timestamps: Support } & Partial<Record<TranscribeParam, Support>>
  >;
  /** Under which native option a caller names the model, and what runs when none is named. */
  model: {
    option: string;
    default: string;
    /** The model that the vendor's own options name, where that is not `option` itself. */
    named?: (options: Readonly<Record<string, unknown>>) => string | undefined;
    /** Why a model cannot be used for recordings at all. */
    refuse?: (model: string) => string | undefined;
  };
  /** Settings of the transport, which are not the caller's, each with what to do instead. */
  refused_options: RefusedOptions;
  options_go_to: 'body' | 'query' | 'form';
  /** The options that go to the query although the others are in a form. */
  query_options?: readonly string[];
  /** The vendor's own names of our parameters: where the caller sets one, ours is not sent. */
  native_names: Readonly<Record<'language' | 'diarize' | 'keyterms', readonly string[]>>;
  /** Jobs at work with the vendor at any one time, over all gateways. */
  concurrency: number;
  callback: {
    proof: CallbackProof;
    /** True where the vendor calls a fixed URL and names the attempt in the body. */
    fixed_address: boolean;
    /** What must be set before the vendor can be asked to call back. */
    needs: readonly string[];
    /** What the vendor does without a public address. */
    otherwise: 'polled' | 'synchronous';
  };
  /** How the vendor's API supplies settings that the operator did not give. */
  discovery?: {
    first: (given: VendorSettings) => Discovery;
    next: (reply: Reply, state: unknown, given: VendorSettings) => Discovery;
  };
  /** A question that costs nothing, and the statuses by which a good credential is known. */
  check: { wire: WireRequest; statuses: readonly number[] };
  /**
   * Where a vendor takes a file in a request of its own, which may be repeated. Without it the
   * submission carries the file.
   */
  storage?: { toStore: (file: WireFile) => WireRequest; fromStore: (reply: Reply) => Stored };
  toSubmit: (attempt: Attempt) => WireRequest;
  fromSubmit: (reply: Reply, attempt: Attempt) => Submission;
  /** Undefined where nothing can be asked: the result only ever arrives by itself. */
  toPoll?: (providerJobId: string) => WireRequest;
  fromPoll?: (reply: Reply, attempt: Attempt) => Progress;
  /** Undefined where the vendor has no means to find a submission again. */
  toLookup?: (attempt: Attempt) => LookupStep;
  fromLookup?: (reply: Reply, state: unknown, attempt: Attempt, now: Date) => LookupStep;
  /** `body` is the text itself where it is not JSON. */
  fromCallback: (body: unknown, attempt: Attempt) => CallbackReport;
  /**
   * The token in a stretch of a delivery's text, where the address does not carry it: reading all
   * of a long one just for that would hold everybody up.
   */
  tokenIn?: (text: string) => string | undefined;
  /** Waits between questions in seconds: the first ones, then the last for ever. */
  poll_after_s: readonly number[];
  lookup_after_s: readonly number[];
  /** How long after its submission a model's result may still arrive by callback. */
  callback_bound_s?: (model: string) => number;
  price: SpeechPrice;
}
