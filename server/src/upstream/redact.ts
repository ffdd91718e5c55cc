// Redacts this deployment's credentials in everything that a provider sends, once, on arrival, so
// that nothing that is answered, logged or stored afterwards can contain them.
import { wholeEnd } from '@trivium/shared/whole-end';
import type { Sent } from '../platform/http-client.ts';
import type { Upstream } from '../settings/index.ts';
import { keysOf } from './guard.ts';

const mark = '[redacted]';
/** A shorter one may be part of ordinary words, and redacting it would damage every answer. */
const shortestCredential = 5;
/** A shorter piece of base64 may occur by coincidence. */
const shortestBase64 = 9;

interface Redactor {
  /** Returns the same text if there is nothing to redact. */
  clean: (text: string) => string;
  /** For one text that arrives in pieces, because a credential may span two of them. */
  inPieces: () => ReturnType<typeof redactPieces>;
}

const redactors = new WeakMap<Upstream, Redactor>();

/** Created once for each provider of the deployment. Without one there is nothing to redact. */
export function redactorOf(upstream: Upstream | undefined): Redactor {
  if (!upstream) return redactNothing;
  const known = redactors.get(upstream);
  if (known) return known;
  const made = makeRedactor(keysOf(upstream));
  redactors.set(upstream, made);
  return made;
}

/** Every answer of a provider passes this before anything reads it. */
export function redactSent(sent: Sent, upstream: Upstream): Sent {
  const { clean, inPieces } = redactorOf(upstream);
  if (!sent.ok) return { ...sent, message: clean(sent.message) };
  const text = clean(sent.text);
  const headers = cleanHeaders(sent.headers, clean);
  if (sent.pieces === undefined) {
    return text === sent.text && headers === sent.headers ? sent : { ...sent, text, headers };
  }
  const redactor = inPieces();
  const pieces = sent.pieces.map((piece) => redactor.push(piece));
  return { ...sent, text, headers, pieces: [...pieces, redactor.end()] };
}

function cleanHeaders(headers: Headers, clean: Redactor['clean']): Headers {
  let isClean = true;
  headers.forEach((value) => (isClean &&= clean(value) === value));
  // Almost always true, so nothing is copied.
  if (isClean) return headers;
  return new Headers([...headers].map(([name, value]): [string, string] => [name, clean(value)]));
}

const redactNothing: Redactor = {
  clean: (text) => text,
  inPieces: () => ({ push: (piece) => piece, end: () => '' }),
};

export function makeRedactor(credentials: readonly string[]): Redactor {
  const long = credentials.filter((credential) => credential.length >= shortestCredential);
  const patterns = long.flatMap(patternsOf);
  if (patterns.length === 0) return redactNothing;
  const anchor = new RegExp([...new Set(long.flatMap(anchorsOf))].join('|'));
  const pattern = new RegExp(patterns.join('|'), 'g');
  const longest = Math.max(...long.map((credential) => credential.length * longestSpelling));
  return {
    clean: (text) => (anchor.test(text) ? text.replace(pattern, mark) : text),
    inPieces: () => redactPieces(anchor, pattern, longest),
  };
}

function redactPieces(anchor: RegExp, pattern: RegExp, longest: number) {
  let kept = '';
  return {
    /** The redacted text so far. Its end is held back until the next piece. */
    push: (piece: string) => {
      const text = kept + piece;
      const found = anchor.test(text);
      const end = found ? endOfLast(text, pattern) : 0;
      const cut = wholeEnd(text, Math.max(end, text.length - longest + 1));
      kept = text.slice(cut);
      const ready = text.slice(0, cut);
      return found ? ready.replace(pattern, mark) : ready;
    },
    /** The rest. */
    end: () => {
      const rest = kept.replace(pattern, mark);
      kept = '';
      return rest;
    },
  };
}

function endOfLast(text: string, pattern: RegExp): number {
  let end = 0;
  for (const found of text.matchAll(pattern)) end = found.index + found[0].length;
  return end;
}

/** The credential itself, its escaped forms for JSON, URLs and HTML, and its base64 forms. */
function patternsOf(credential: string): string[] {
  const characters = [...credential];
  return [
    characters.map(spellingsOf).join(''),
    characters.map(escapedForJson).join(''),
    ...base64Of(credential).map((text) => [...text].map(spellingsInBase64).join('')),
  ];
}

/**
 * Plain parts, of which each form contains at least one. Searching for these first is several times
 * faster, and almost always enough.
 */
function anchorsOf(credential: string): string[] {
  const units = [...credential].map((character) => character.charCodeAt(0).toString(16));
  const escaped = (hex: readonly string[]) => hex.map((one) => `u${one.padStart(4, '0')}`);
  return [
    longestPlain(credential),
    escaped(units).join('\\\\'),
    escaped(units.map((hex) => hex.toUpperCase())).join('\\\\'),
    ...base64Of(credential).map(longestPlain),
  ];
}

/** Letters and digits have only one form. */
function longestPlain(text: string): string {
  const [longest = ''] = text.split(/[^A-Za-z0-9]+/).sort((a, b) => b.length - a.length);
  return longest;
}

/** The maximum length of one escaped character, including backslashes or entities. */
const longestSpelling = 16;

/** Encoders never escape letters and digits. Every other character may be escaped. */
function spellingsOf(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = eitherCase(code.toString(16).padStart(2, '0'));
  const bytes = [...new TextEncoder().encode(character)];
  const percent = bytes.map((byte) => `%${eitherCase(byte.toString(16).padStart(2, '0'))}`);
  const entity = `&(?:#0{0,3}${code}|#[xX]0{0,2}${hex}${named[character] ?? ''});`;
  const plain = /["\\/]/.test(character) ? `\\\\{0,4}${literal(character)}` : literal(character);
  return `(?:${plain}|${percent.join('')}|${escapedForJson(character)}|${entity})`;
}

const named: Readonly<Record<string, string>> = {
  '&': '|amp',
  '<': '|lt',
  '>': '|gt',
  '"': '|quot',
  "'": '|apos',
};

/** With more backslashes if JSON is nested in a JSON string. */
function escapedForJson(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units
    .map((unit) => `\\\\{1,4}u${eitherCase(unit.toString(16).padStart(4, '0'))}`)
    .join('');
}

/**
 * The base64 characters that depend only on the credential, wherever it is in the encoded text (for
 * example in `user:credential`): three forms, by the number of bytes before it, modulo 3.
 */
function base64Of(credential: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + credential);
    const text = bytes.toString('base64');
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return own.length >= shortestBase64 ? [own] : [];
  });
}

/** URL-safe base64 uses two other characters. */
function spellingsInBase64(character: string): string {
  if (character === '+') return `(?:-|${spellingsOf(character)})`;
  return character === '/' ? `(?:_|${spellingsOf(character)})` : character;
}

function literal(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/-]/g, String.raw`\$&`);
}

function eitherCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
