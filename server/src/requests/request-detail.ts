// What the log records about a request: its details as one compact JSON text, whose property names
// are stored and must not change, and what it asked for (the query, the pages or the recording).
import { hideSignatures, type ToolName, Warning } from '@trivium/contract';
import { z } from 'zod';

/** One call to a provider. */
export interface Attempt {
  provider: string;
  /** `answered`, `no_results`, or why it was refused. */
  outcome: string;
  /** Includes the wait for a free slot. */
  ms: number;
  /** When it began, in clock ticks. Read from the log: in milliseconds after the request arrived. */
  at?: number | undefined;
  /** How long it waited for a free slot. */
  queuedMs?: number | undefined;
  status?: number | undefined;
  message?: string | undefined;
  /** The refusal says nothing about the provider. Not logged. */
  excused?: true;
}

/** What one provider of a request cost, in micro-USD. */
export interface CostPart {
  provider: string;
  amount: number;
  /** True if the provider itself reported the amount. Otherwise it is the list price. */
  reported: boolean;
}

/** What a search returned, so that its caller can report later which results were useful. */
export interface Shown {
  /** Eight hexadecimal digits of the id of each result, without separators. */
  ids: string;
  /** The class of the search: language, category and freshness. Absent if it specified none. */
  asked_for?: readonly [string, string, string];
  /** For a fusion: the rank of each result with each member, as one base-36 digit, or a dash. */
  ranks?: Readonly<Record<string, string>>;
}

interface RequestDetail {
  attempts: readonly Attempt[];
  warnings: readonly Warning[];
  /** The error's text. */
  error: string | null;
  /** The maximum price, which was held. */
  held: number | null;
  /** Only if several providers were paid. */
  parts: readonly CostPart[];
  /** Only for a search that was answered. */
  shown?: Shown | undefined;
  /** Why `auto` chose the provider, where it chooses by quality. */
  routing?: string | undefined;
}

/** A newer version may know more codes. */
export const StoredWarning = Warning.extend({
  code: z.custom<Warning['code']>((code) => typeof code === 'string'),
});

/** Provider, outcome, milliseconds, status and message. */
const StoredAttempt = z.tuple([
  z.string(),
  z.string(),
  z.number(),
  z.number().nullish(),
  z.string().optional(),
]);
type StoredAttempt = z.infer<typeof StoredAttempt>;

/** When an attempt began, with the wait for a free slot if there was one. */
const StoredStart = z.union([z.number(), z.tuple([z.number(), z.number()]), z.null()]);
type StoredStart = z.infer<typeof StoredStart>;

const Stored = z.object({
  a: z.array(StoredAttempt).optional(),
  /** One for each attempt. Apart from it, because version 0.2.0 refuses attempts with more parts. */
  t: z.array(StoredStart).optional(),
  w: z.array(StoredWarning).optional(),
  e: z.string().optional(),
  h: z.number().optional(),
  /** Provider, amount, and 1 if the provider reported it. */
  p: z.array(z.tuple([z.string(), z.number(), z.number()])).optional(),
  /** Ids of results, the class of the search, and the ranks of a fusion. */
  r: z
    .object({
      i: z.string(),
      c: z.tuple([z.string(), z.string(), z.string()]).readonly().optional(),
      m: z.record(z.string(), z.string()).readonly().optional(),
    })
    .optional(),
  q: z.string().optional(),
});
type Stored = z.infer<typeof Stored>;

const maxAttempts = 60;
const maxWarnings = 40;
const maxMessageChars = 500;
const maxErrorChars = 2000;

/** Null if there is nothing to record. */
export function writeDetail(
  { attempts, warnings, error, held, parts, shown, routing }: RequestDetail,
  asked: readonly string[],
  /** When the request arrived, in clock ticks. */
  started: number,
): string | null {
  const stored: Stored = {};
  const message = (text: string, limit: number) => withoutAsked(text, asked, limit);
  if (attempts.length > 0) {
    const kept = attempts.slice(0, maxAttempts);
    stored.t = kept.map((one) => startOf(one, started));
    stored.a = kept.map((one): StoredAttempt => {
      if (one.message === undefined) return [one.provider, one.outcome, one.ms];
      const words = message(one.message, maxMessageChars);
      return [one.provider, one.outcome, one.ms, one.status ?? null, words];
    });
  }
  if (warnings.length > 0) {
    stored.w = warnings
      .slice(0, maxWarnings)
      .map((one) => ({ ...one, message: message(one.message, maxMessageChars) }));
  }
  if (error !== null) stored.e = message(error, maxErrorChars);
  if (held !== null) stored.h = held;
  if (parts.length > 0) {
    stored.p = parts.map(({ provider, amount, reported }) => [provider, amount, reported ? 1 : 0]);
  }
  if (shown) {
    stored.r = { i: shown.ids };
    if (shown.asked_for) stored.r.c = shown.asked_for;
    if (shown.ranks) stored.r.m = shown.ranks;
  }
  if (routing !== undefined) stored.q = storableText(routing, maxMessageChars);
  const text = JSON.stringify(stored);
  return text === '{}' ? null : text;
}

function startOf({ at, queuedMs }: Attempt, started: number): StoredStart {
  if (at === undefined) return null;
  const start = Math.round(at - started);
  return queuedMs ? [start, queuedMs] : start;
}

export function readDetail(text: string | null): RequestDetail {
  const {
    a = [],
    t = [],
    w = [],
    e = null,
    h = null,
    p = [],
    r,
    q,
  } = Stored.parse(text === null ? {} : JSON.parse(text));
  return {
    attempts: a.map(([provider, outcome, ms, status, words], place) => {
      const start = t[place] ?? undefined;
      const [at, queuedMs] = typeof start === 'number' ? [start, 0] : (start ?? []);
      return { provider, outcome, ms, at, queuedMs, status: status ?? undefined, message: words };
    }),
    warnings: w,
    error: e,
    held: h,
    parts: p.map(([provider, amount, reported]) => ({
      provider,
      amount,
      reported: reported === 1,
    })),
    shown: r && {
      ids: r.i,
      ...(r.c ? { asked_for: r.c } : {}),
      ...(r.m ? { ranks: r.m } : {}),
    },
    routing: q,
  };
}

/** For all texts of a request together. The log is not an archive. */
const maxChars = 2000;

/** Tolerant, because requests with an invalid body are logged as well. */
export function askedIn(tool: ToolName, body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { query, urls, audio_url } = body as Record<string, unknown>;
  if (tool === 'search') return typeof query === 'string' ? [query] : [];
  if (tool === 'transcription') return typeof audio_url === 'string' ? [address(audio_url)] : [];
  if (!Array.isArray(urls)) return [];
  return urls.slice(0, maxTexts).filter((url) => typeof url === 'string');
}

const maxParameterChars = 4000;

const mainFields: Readonly<Record<ToolName, string>> = {
  search: 'query',
  extract: 'urls',
  transcription: 'audio_url',
};

/** What was sent besides the query, the pages or the recording, as JSON. Null if nothing. */
export function parametersText(tool: ToolName, body: unknown): string | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const main = mainFields[tool];
  const others = Object.keys(body).filter((name) => name !== main);
  if (others.length === 0) return null;
  const text = JSON.stringify({ ...body, [main]: undefined }, (_name, value: unknown) =>
    typeof value === 'string' ? hideSignatures(value) : value,
  );
  return text.length > maxParameterChars ? null : text;
}

const Parameters = z.record(z.string(), z.unknown());

export function readParameters(text: string | null): Record<string, unknown> | null {
  return text === null ? null : Parameters.parse(JSON.parse(text));
}

/** The address of a recording is often signed, in its query or because it is an upload. */
function address(audioUrl: string): string {
  if (!URL.canParse(audioUrl)) return '';
  const { protocol, host, pathname, search } = new URL(audioUrl);
  return hideSignatures(`${protocol}//${host}${pathname}${search === '' ? '' : '?…'}`);
}

/** One line for each text. Null if there is none. */
export function askedText(asked: readonly string[]): string | null {
  const text = asked.length === 1 ? (asked[0] ?? '') : asked.join('\n');
  return text === '' ? null : storableText(text, maxChars);
}

/** Removes characters that a database cannot store, and cuts the text to the limit. */
export function storableText(text: string, limit: number): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  const whole = cut.isWellFormed() ? cut : cut.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\u{FFFD}') : whole;
}

/** A shorter text may be part of ordinary words. */
const shortestAsked = 4;
/** As many as a request can have pages. */
const maxTexts = 20;
/** Texts are searched for by their beginning, because a message may quote only that. */
const maxHeadChars = 100;
const mark = '[asked]';

/**
 * The first `limit` characters of a message, without what was asked, because that is kept for a
 * shorter time than the message. All texts are searched for in the original message. The result is
 * never searched, because a caller may ask for parts of the mark.
 */
export function withoutAsked(message: string, asked: readonly string[], limit: number): string {
  // A text that begins within the limit may end after it.
  const words = message.slice(0, limit + maxHeadChars);
  const spans = asked
    .slice(0, maxTexts)
    .flatMap((text) => (text.length < shortestAsked ? [] : spansOf(text, words)))
    .sort((one, other) => one.start - other.start);
  let result = '';
  let read = 0;
  for (const { start, end } of spans) {
    if (start >= limit) break;
    // Overlapping texts share one mark.
    if (start >= read) result += `${words.slice(read, start)}${mark}`;
    read = Math.max(read, end);
  }
  const rest = message.length > limit ? `${words.slice(read, limit - 1)}…` : words.slice(read);
  return storableText(result + rest, limit);
}

/** Each place where the text begins, and how far it continues there. */
function spansOf(text: string, words: string) {
  const head = text.slice(0, maxHeadChars);
  const spans: { start: number; end: number }[] = [];
  let start = words.indexOf(head);
  while (start !== -1) {
    let end = start + head.length;
    while (end < words.length && words[end] === text[end - start]) end += 1;
    spans.push({ start, end });
    start = words.indexOf(head, end);
  }
  return spans;
}
