// What a request asked for, as the request log keeps it: the query, the pages or the recording.
import type { ToolName } from '@trivium/contract';

/** Of all texts of a request together; the log is not an archive. */
const maxChars = 2000;

/** Tolerant, because a request with an invalid body is logged as well. */
export function askedIn(tool: ToolName, body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { query, urls, audio_url } = body as Record<string, unknown>;
  if (tool === 'search') return typeof query === 'string' ? [query] : [];
  if (tool === 'transcription') return typeof audio_url === 'string' ? [address(audio_url)] : [];
  return Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : [];
}

/** The address of a recording is often signed, and then its query is a credential. */
function address(audioUrl: string): string {
  if (!URL.canParse(audioUrl)) return '';
  const { protocol, host, pathname, search } = new URL(audioUrl);
  return `${protocol}//${host}${pathname}${search === '' ? '' : '?…'}`;
}

/** One line for each text; null when there is none. */
export function askedText(asked: readonly string[]): string | null {
  const text = asked.length === 1 ? (asked[0] ?? '') : asked.join('\n');
  return text === '' ? null : storableText(text, maxChars);
}

/** Without what a database cannot store, and cut to a length. */
export function storableText(text: string, limit: number): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  const whole = cut.isWellFormed() ? cut : cut.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\u{FFFD}') : whole;
}

/** A shorter text may be part of ordinary words. */
const shortestAsked = 4;

/** A message without what was asked: that is kept for a shorter time than the message. */
export function withoutAsked(message: string, asked: readonly string[]): string {
  return asked
    .filter(({ length }) => length >= shortestAsked)
    .reduce((text, part) => text.replaceAll(part, '[asked]'), message);
}
