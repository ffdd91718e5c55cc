// What a request asked for, as the request log keeps it: the query, the pages or the recording.
import { hideSignatures } from '@trivium/contract';
import type { ToolName } from '@trivium/contract';

/** Of all texts of a request together; the log is not an archive. */
const maxChars = 2000;

/** Tolerant, because a request with an invalid body is logged as well. */
export function askedIn(tool: ToolName, body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { query, urls, audio_url } = body as Record<string, unknown>;
  if (tool === 'search') return typeof query === 'string' ? [query] : [];
  if (tool === 'transcription') return typeof audio_url === 'string' ? [address(audio_url)] : [];
  if (!Array.isArray(urls)) return [];
  return urls.slice(0, maxTexts).filter((url) => typeof url === 'string');
}

/** The address of a recording is often signed, in its query or as that of an upload. */
function address(audioUrl: string): string {
  if (!URL.canParse(audioUrl)) return '';
  const { protocol, host, pathname, search } = new URL(audioUrl);
  return hideSignatures(`${protocol}//${host}${pathname}${search === '' ? '' : '?…'}`);
}

/** One line for each text; null when there is none. */
export function askedText(asked: readonly string[]): string | null {
  const text = asked.length === 1 ? (asked[0] ?? '') : asked.join('\n');
  return text === '' ? null : storableText(text, maxChars);
}

/** Without what a database cannot store, and cut to a length. */
function storableText(text: string, limit: number): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  const whole = cut.isWellFormed() ? cut : cut.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\u{FFFD}') : whole;
}

/** A shorter text may be part of ordinary words. */
const shortestAsked = 4;
/** As many as the pages of a request. */
const maxTexts = 20;
/** A text is found by its beginning, also where a message quotes only that. */
const maxHeadChars = 100;
const mark = '[asked]';

/**
 * The first `limit` characters of a message, without what was asked: that is kept for a shorter
 * time than the message. All texts are searched for in the message as it came. The result is never
 * searched, because a caller may ask for parts of the mark.
 */
export function withoutAsked(message: string, asked: readonly string[], limit: number): string {
  // The beginning of a text within the limit may end behind it.
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

interface Span {
  start: number;
  end: number;
}

/** Each place where the text begins, as far as it continues there. */
function spansOf(text: string, words: string): Span[] {
  const head = text.slice(0, maxHeadChars);
  const spans: Span[] = [];
  let start = words.indexOf(head);
  while (start !== -1) {
    let end = start + head.length;
    while (end < words.length && words[end] === text[end - start]) end += 1;
    spans.push({ start, end });
    start = words.indexOf(head, end);
  }
  return spans;
}
