// GET /v1/jobs/{id}: the job as JSON. Its transcript is served as stored, or checked according to a
// content mode. An agent gets the beginning of its text without the words: the stored parts are read
// one by one and discarded, so a long transcript takes no more memory than a short one.
import {
  type ContentMode,
  GatewayError,
  contentSignalsHeader,
  maxToolTextChars,
  tryLater,
} from '@trivium/contract';
import { z } from 'zod';
import type { BillingContext } from '../billing/index.ts';
import { type ContentContext, checkTranscript } from '../content/index.ts';
import { noRoom } from '../platform/byte-budget.ts';
import { machine } from '../platform/machine.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import { streamOf } from '../platform/streams.ts';
import type { Caller } from '../requests/index.ts';
import { type Database, readJson } from '../store/index.ts';
import { jobSummary } from './list-jobs.ts';
import { findPart } from './store/callbacks.ts';
import { type JobRow, findJob } from './store/jobs.ts';

/** A job as it is served. */
export interface JobAnswer {
  /** A stream for a long transcript, so that it is never in memory as a whole. */
  body: string | ReadableStream<Uint8Array>;
  headers: Record<string, string>;
}

/** With a mode, the whole transcript is read and checked; a blocked one is not found. */
export async function readJob(
  context: BillingContext & ContentContext,
  caller: Caller,
  id: string,
  mode?: ContentMode,
): Promise<JobAnswer> {
  const job = await findOwnJob(context, caller, id);
  const [before, after] = jobText(job);
  const { result_id } = job;
  if (result_id === null) return { body: `${before}null${after}`, headers: {} };
  const stored = readParts(context.database, result_id);
  if (mode === undefined) {
    const first = await stored.next();
    const begun = before + (first.done === true ? 'null' : first.value);
    return { body: await bodyOf(begun, stored, after), headers: {} };
  }
  const room = context.bytes?.open(caller.account_id, { weight: checkedWeight });
  try {
    const parts: string[] = [];
    for await (const part of stored) {
      if ((await room?.grow(part.length)) === false) throw noRoom('gateway');
      parts.push(part);
    }
    const result = parts.length > 0 ? parts.join('') : 'null';
    const { text, headers } = await checkResult(context, caller, id, result, mode);
    return { body: before + text + after, headers };
  } finally {
    room?.close();
  }
}

/** The memory that checking a transcript takes, as a multiple of its length. */
const checkedWeight = 6;

/** The checked parts. The rest of a transcript is served as stored. */
const Spoken = z.looseObject({
  text: z.string(),
  words: z.array(z.looseObject({ text: z.string() })).optional(),
});

/** The stored result as the mode allows it, and what was found in it. */
async function checkResult(
  context: ContentContext,
  { account_id }: Caller,
  id: string,
  stored: string,
  mode: ContentMode,
  isBrief = false,
): Promise<{ text: string; headers: Record<string, string> }> {
  const result = readJson('a transcript', (value) => Spoken.nullable().parse(value), stored);
  if (result === null) return { text: stored, headers: {} };
  const { transcript, found, isBlocked } = await checkTranscript(context, account_id, result, mode);
  if (isBlocked) {
    const message = `The transcript of the job ${id} is blocked by the content mode: ${found}.`;
    throw new GatewayError('not_found', message);
  }
  // A tool can tell from the length of a text that there is more, so a check must not shorten it.
  const isLonger = isBrief && result.text.length > maxToolTextChars;
  const text = isLonger ? transcript.text.padEnd(maxKeptChars) : transcript.text;
  return {
    text: transcript === result ? stored : JSON.stringify({ ...transcript, text }),
    headers: { [contentSignalsHeader]: found ?? 'none' },
  };
}

export interface RawAnswer {
  body: JobAnswer['body'];
  notes: JobRow['notes'];
}

/** The vendor's document from which the transcript was read, as received. */
export async function readRawDocument(
  context: BillingContext,
  caller: Caller,
  id: string,
): Promise<RawAnswer> {
  const { raw_id, notes, ...job } = await findOwnJob(context, caller, id);
  const parts = readParts(context.database, raw_id);
  const first = await parts.next();
  if (first.done === true) throw noDocument(job);
  return { body: await bodyOf(first.value, parts, ''), notes };
}

function noDocument({ id, status }: Pick<JobRow, 'id' | 'status'>): GatewayError {
  const why = {
    queued: 'it has not ended yet',
    running: 'it has not ended yet',
    failed: "it failed; its error has the provider's reason",
    completed: 'it was transcribed by an older version of the gateway',
  }[status];
  return new GatewayError('not_found', `The job ${id} has no provider document: ${why}.`);
}

/** The job with the beginning of its transcript and without its words, for an agent's tool. */
export async function readJobBriefly(
  context: BillingContext & ContentContext,
  caller: Caller,
  id: string,
  mode?: ContentMode,
): Promise<JobAnswer> {
  const job = await findOwnJob(context, caller, id);
  const [before, after] = jobText(job);
  const { result_id } = job;
  const brief = result_id === null ? undefined : await readBrief(context.database, result_id);
  if (brief === undefined || mode === undefined) {
    return { body: `${before}${brief ?? 'null'}${after}`, headers: {} };
  }
  const { text, headers } = await checkResult(context, caller, id, brief, mode, true);
  return { body: before + text + after, headers };
}

/** Concurrent requests for the same job share one read: an agent may ask 100 times at once. */
const readings = new WeakMap<Database, Map<string, Promise<string | undefined>>>();

function readBrief(database: Database, resultId: string): Promise<string | undefined> {
  const briefs = readings.get(database) ?? new Map<string, Promise<string | undefined>>();
  readings.set(database, briefs);
  const known = briefs.get(resultId);
  if (known) return known;
  const reading = briefResult(readParts(database, resultId)).finally(() => briefs.delete(resultId));
  briefs.set(resultId, reading);
  return reading;
}

async function findOwnJob(
  { database }: BillingContext,
  caller: Caller,
  id: string,
): Promise<JobRow> {
  const job = await findJob(database, id).catch((error: unknown) => {
    if (storeTrouble(error) === undefined) throw error;
    throw tryLater(
      'provider_not_available',
      'The gateway cannot reach its store at the moment. Nothing was started; try again shortly.',
      1,
      error,
    );
  });
  const isOwn = job?.account_id === caller.account_id;
  // A key that is limited to its own use reads only the jobs that it made.
  if (job && isOwn && (!caller.own_use_only || job.key_id === caller.key_id)) return job;
  throw new GatewayError('not_found', `There is no job ${id} on this account.`);
}

/** A whole job, for a delivery. Undefined once it is deleted. `admit` may throw. */
export async function readJobParts(
  database: Database,
  id: string,
  admit: (chars: number) => void,
): Promise<string[] | undefined> {
  const job = await findJob(database, id);
  if (!job) return undefined;
  const [before, after] = jobText(job);
  const parts: string[] = [];
  for await (const part of readParts(database, job.result_id)) {
    admit(part.length);
    parts.push(part);
  }
  return [before, ...(parts.length > 0 ? parts : ['null']), after];
}

function jobText(job: JobRow): [before: string, after: string] {
  return [`${JSON.stringify(jobSummary(job)).slice(0, -1)},"result":`, '}'];
}

/** Each part of a stored text is read when it is asked for. */
async function* readParts(
  database: Database,
  id: string | null,
): AsyncGenerator<string, undefined> {
  for (let part = 0; id !== null; part += 1) {
    const text = await findPart(database, id, part);
    if (text === undefined) return;
    yield text;
  }
}

/** A short text at once, and a long one as a stream. */
async function bodyOf(
  begun: string,
  rest: AsyncGenerator<string, undefined>,
  after: string,
): Promise<JobAnswer['body']> {
  const second = await rest.next();
  return second.done === true
    ? begun + after
    : streamOf(encoded([begun, second.value], rest, after));
}

async function* encoded(
  begun: readonly string[],
  rest: AsyncIterable<string>,
  after: string,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const text of begun) {
    await machine.nextTurn();
    yield encoder.encode(text);
  }
  for await (const text of rest) {
    await machine.nextTurn();
    yield encoder.encode(text);
  }
  yield encoder.encode(after);
}

/** The maximum number of parts that are read to reach what follows the text. */
const maxParts = 1024;

/**
 * The stored result is `{"text":"…",<facts>,"words":[…]}`. Returns it without the words, and with
 * one more character of text than a tool shows, so that the tool can tell that there is more.
 * Undefined if the result has another format.
 */
export async function briefResult(parts: AsyncIterable<string>): Promise<string | undefined> {
  const scan = startScan();
  let count = 0;
  for await (const part of parts) {
    count += 1;
    if (scan.push(part) || count === maxParts) break;
  }
  return scan.result();
}

const opening = '{"text":"';
const wordsField = ',"words":[';
/** Counted in the stored form. Escapes make the text itself shorter. */
const maxKeptChars = maxToolTextChars + 1;

function startScan() {
  let kept = '';
  let rest = '';
  let isLonger = false;
  let place: 'opening' | 'text' | 'facts' = 'opening';
  /** True if the next character of the text is escaped. */
  let isEscaped = false;
  const skipText = (piece: string): number => {
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (code === backslash) isEscaped = true;
      else if (code === quote) return at;
    }
    return -1;
  };
  return {
    /** True when nothing more is needed. */
    push: (piece: string): boolean => {
      let text = piece;
      if (place === 'opening') {
        if (!text.startsWith(opening)) return true;
        text = text.slice(opening.length);
        place = 'text';
      }
      if (place === 'text') {
        const end = skipText(text);
        const found = end < 0 ? text : text.slice(0, end);
        isLonger ||= kept.length + found.length > maxKeptChars;
        kept += found.slice(0, maxKeptChars - kept.length);
        if (end < 0) return false;
        text = text.slice(end + 1);
        place = 'facts';
      }
      rest += text;
      return rest.includes(wordsField);
    },
    result: (): string | undefined => {
      if (place !== 'facts') return undefined;
      const words = rest.indexOf(wordsField);
      const facts = words < 0 ? rest : `${rest.slice(0, words)}}`;
      const text = firstChars(kept);
      return `{"text":${JSON.stringify(isLonger ? text.padEnd(maxKeptChars) : text)}${facts}`;
    },
  };
}

const quote = 34;
const backslash = 92;

/** The cut may be inside an escape, whose beginning is then dropped. */
function firstChars(escaped: string): string {
  for (let dropped = 0; dropped <= longestEscape; dropped += 1) {
    try {
      return String(JSON.parse(`"${escaped.slice(0, escaped.length - dropped)}"`));
    } catch {}
  }
  return '';
}

const longestEscape = 6;
