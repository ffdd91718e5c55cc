// Takes this deployment's credentials out of what a provider sends, once, where it arrives, so that
// nothing answered, logged or stored afterwards can hold them.
import type { Outgoing, Sent } from '../platform/http.ts';
import type { Upstream } from '../platform/upstreams.ts';
import type { Chosen } from './choose-provider.ts';
import { keysOf } from './guard.ts';
import type { House } from './house.ts';

const mark = '[redacted]';
/** Anything shorter is a part of ordinary words, and taking it out would spoil every answer. */
const shortestCredential = 5;
/** A short stretch of base64 is found by chance. */
const shortestBase64 = 9;

export interface Redactor {
  /** The same text where there is nothing to take out. */
  clean: (text: string) => string;
  /** For one text that comes in pieces: a credential may lie across two of them. */
  inPieces: () => PieceRedactor;
}

export interface PieceRedactor {
  /** What can be told already; the rest is kept until more has come. */
  push: (piece: string) => string;
  /** What was kept. */
  end: () => string;
}

/** The only way to call a provider: its answer is clean before anything reads it. */
export async function sendRedacted(
  house: House,
  { upstream }: Pick<Chosen, 'upstream'>,
  outgoing: Outgoing,
): Promise<Sent> {
  return redactSent(await house.send(outgoing), redactorOf(upstream));
}

const redactors = new WeakMap<Upstream, Redactor>();

/** Made once for each provider of the deployment. */
export function redactorOf(upstream: Upstream): Redactor {
  const known = redactors.get(upstream);
  if (known) return known;
  const made = makeRedactor(keysOf(upstream));
  redactors.set(upstream, made);
  return made;
}

function redactSent(sent: Sent, { clean, inPieces }: Redactor): Sent {
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
  const pairs = [...headers];
  const cleaned = pairs.map(([name, value]): [string, string] => [name, clean(value)]);
  return cleaned.some(([, value], at) => value !== pairs[at]?.[1]) ? new Headers(cleaned) : headers;
}

export const redactNothing: Redactor = {
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

function redactPieces(anchor: RegExp, pattern: RegExp, longest: number): PieceRedactor {
  let kept = '';
  return {
    push: (piece) => {
      const text = kept + piece;
      const found = anchor.test(text);
      const end = found ? endOfLast(text, pattern) : 0;
      const cut = wholeCharacters(text, Math.max(end, text.length - longest + 1));
      kept = text.slice(cut);
      const told = text.slice(0, cut);
      return found ? told.replace(pattern, mark) : told;
    },
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

/** A character of two halves is not cut in two. */
function wholeCharacters(text: string, cut: number): number {
  const before = text.charCodeAt(cut - 1);
  return before >= 0xd800 && before <= 0xdbff ? cut - 1 : cut;
}

/** As it is, and as programs spell it: escaped for JSON, an address or a page, or in base64. */
function patternsOf(credential: string): string[] {
  const characters = [...credential];
  return [
    characters.map(spellingsOf).join(''),
    characters.map(escapedForJson).join(''),
    ...base64Of(credential).map((text) => [...text].map(spellingsInBase64).join('')),
  ];
}

/**
 * Plain stretches of which one stands in every spelling: looking for these alone is several times
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

/** Letters and digits are spelled in one way only. */
function longestPlain(text: string): string {
  const [longest = ''] = text.split(/[^A-Za-z0-9]+/).sort((a, b) => b.length - a.length);
  return longest;
}

/** The most characters that stand for one, back slashes or entities included. */
const longestSpelling = 16;

/** Letters and digits are never escaped by a program that means well; everything else may be. */
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

/** With more back slashes where a text of JSON stands in another one. */
function escapedForJson(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units
    .map((unit) => `\\\\{1,4}u${eitherCase(unit.toString(16).padStart(4, '0'))}`)
    .join('');
}

/**
 * What is the same of its base64 wherever it stands in what was encoded (`user:credential`, say):
 * three spellings, by how many bytes stand before it.
 */
function base64Of(credential: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + credential);
    const text = bytes.toString('base64');
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return own.length >= shortestBase64 ? [own] : [];
  });
}

/** Base64 for addresses has two other letters. */
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
