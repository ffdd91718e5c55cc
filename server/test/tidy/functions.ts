// Finds functions and their lengths by brackets, which is exact enough for formatted code.
import { lineOf } from './source.ts';

export interface FoundFunction {
  line: number;
  lines: number;
}

interface Brackets {
  /** From each opening bracket to its closing one, and the other way round. */
  partner: Map<number, number>;
  /** From each opening bracket to the one around it. */
  parent: Map<number, number>;
}

/** Reads masked code. The callback of `describe` does not count as a function. */
export function findFunctions(code: string): FoundFunction[] {
  const brackets = matchBrackets(code);
  const found: FoundFunction[] = [];
  const add = (from: number, body: number) => {
    const end = brackets.partner.get(body);
    if (end === undefined || isListOfTests(code, brackets, from)) return;
    const line = lineOf(code, from);
    found.push({ line, lines: lineOf(code, end) - line + 1 });
  };
  for (const open of brackets.parent.keys()) {
    const body = code.charAt(open) === '(' ? findBody(code, open, brackets) : undefined;
    if (body !== undefined) add(open, body);
  }
  for (const arrow of code.matchAll(/=>\s*(?=[{([])/g)) {
    const before = code.slice(0, arrow.index).trimEnd().length - 1;
    const from = code.charAt(before) === ')' ? brackets.partner.get(before) : arrow.index;
    add(from ?? arrow.index, arrow.index + arrow[0].length);
  }
  return found;
}

function matchBrackets(code: string): Brackets {
  const brackets: Brackets = { partner: new Map(), parent: new Map() };
  const open: number[] = [];
  for (const { 0: bracket, index } of code.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(bracket)) {
      brackets.parent.set(index, open.at(-1) ?? -1);
      open.push(index);
      continue;
    }
    const start = open.pop();
    if (start === undefined) continue;
    brackets.partner.set(start, index);
    brackets.partner.set(index, start);
  }
  return brackets;
}

const controlWord = /\b(?:if|for|while|switch|catch|await|with)\s*$/;

// `name(…) {` and `name(…): Type {` are functions unless a control word stands before.
function findBody(code: string, open: number, { partner }: Brackets): number | undefined {
  const close = partner.get(open);
  if (close === undefined || controlWord.test(lookBack(code, open))) return undefined;
  const at = close + 1 + code.slice(close + 1).search(/\S|$/);
  if (code.charAt(at) === '{') return at;
  return code.charAt(at) === ':' ? skipType(code, at + 1, partner) : undefined;
}

// A type is read piece by piece: a string, a joint after which more must come, a name, a bracket.
const string = /(['"`])[^'"`]*\1/.source;
const joint = /=>|[|&.]|\b(?:is|keyof|typeof|readonly|asserts|unique|extends)\b/.source;
const typePiece = new RegExp(`\\s*(?:${string}|(${joint})|([\\w$]+)|([<{([]))`, 'y');

function skipType(code: string, from: number, partner: Map<number, number>): number | undefined {
  let at = from;
  let complete = false;
  while (at < code.length) {
    typePiece.lastIndex = at;
    const piece = typePiece.exec(code);
    if (piece === null) return undefined;
    const [, , joint, name, bracket] = piece;
    at = typePiece.lastIndex;
    if (bracket === '{' && complete) return at - 1;
    if (name !== undefined && complete) return undefined;
    if (bracket === '<') at = skipAngles(code, at);
    else if (bracket !== undefined) at = (partner.get(at - 1) ?? code.length) + 1;
    complete = joint === undefined;
  }
  return undefined;
}

function skipAngles(code: string, from: number): number {
  let depth = 1;
  let at = from;
  while (at < code.length && depth > 0) {
    if (code.charAt(at) === '<') depth += 1;
    if (code.charAt(at) === '>' && code.charAt(at - 1) !== '=') depth -= 1;
    at += 1;
  }
  return at;
}

// Either `describe(name, () => …)` or `describe.each(rows)(name, () => …)`.
function isListOfTests(code: string, { parent, partner }: Brackets, from: number): boolean {
  const around = parent.get(from) ?? -1;
  const call = code.charAt(around - 1) === ')' ? partner.get(around - 1) : around;
  return /\bdescribe(?:\.\w+)*$/.test(lookBack(code, call ?? 0));
}

const lookBackCharacters = 60;

function lookBack(code: string, at: number): string {
  return code.slice(Math.max(0, at - lookBackCharacters), at);
}
