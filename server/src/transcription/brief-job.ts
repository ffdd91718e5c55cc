// A job for an agent: the beginning of its transcript, without the words. Parts of the stored text
// are read one by one and discarded, so a long transcript takes no more memory than a short one.
import { maxToolTextChars } from '@trivium/contract';

type PartAt = (part: number) => Promise<string | undefined>;

/**
 * The maximum number of parts of the transcript's text that are skipped to reach what follows it.
 */
const maxParts = 1024;

/**
 * The stored result is `{"text":"…",<facts>,"words":[…]}`. Returns it without the words, and with
 * one more character of text than a tool shows, so that the tool can tell that there is more.
 * Undefined if the result has another format.
 */
export async function briefResult(partAt: PartAt): Promise<string | undefined> {
  const scan = startScan();
  for (let part = 0; part < maxParts; part += 1) {
    const piece = await partAt(part);
    if (piece === undefined) break;
    if (scan.push(piece)) break;
  }
  return scan.result();
}

/** A tool can tell from the length of a text that there is more, so a check must not shorten it. */
export function keepLonger(text: string, checked: string): string {
  return text.length > maxToolTextChars ? checked.padEnd(maxKeptChars) : checked;
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
