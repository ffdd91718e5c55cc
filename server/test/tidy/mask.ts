// Splits a source text into code, comments and strings, so that rules read only what they mean.

export interface Masked {
  /** Comments and the insides of strings blanked; quotes stay, so that a string is still seen. */
  code: string;
  /** Only comments blanked. */
  words: string;
  /** Everything but comments blanked. */
  comments: string;
}

/** Answers three texts as long as the given one, with every line where it was. */
export function maskSource(text: string): Masked {
  const { kinds } = classify(text);
  const keep = (wanted: (kind: Kind) => boolean) => {
    let result = '';
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charAt(at);
      result += character === '\n' || wanted(kinds[at] ?? 'code') ? character : ' ';
    }
    return result;
  };
  return {
    code: keep((kind) => kind === 'code'),
    words: keep((kind) => kind !== 'comment'),
    comments: keep((kind) => kind === 'comment'),
  };
}

/** Where a regular expression is written, and how. */
export interface WrittenExpression {
  at: number;
  text: string;
}

export function expressionsIn(text: string): WrittenExpression[] {
  return classify(text).expressions;
}

type Kind = 'code' | 'string' | 'comment';

const LINE_COMMENT = /\/\/[^\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGULAR_EXPRESSION = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
// After one of these a slash begins a regular expression; after a value it divides.
const BEFORE_EXPRESSION = /(?:^|[([{,;=:!&|?+\-*%~^<>]|\b(?:return|typeof|case|of|in|await))\s*$/;
const LOOK_BACK_CHARACTERS = 40;

function classify(text: string): { kinds: Kind[]; expressions: WrittenExpression[] } {
  const kinds: Kind[] = Array.from({ length: text.length }, () => 'code');
  const expressions: WrittenExpression[] = [];
  // One entry per open template: how many braces are open inside its current expression.
  const templates: number[] = [];
  let at = 0;
  const paint = (pattern: RegExp, kind: Kind, inset: number): boolean => {
    pattern.lastIndex = at;
    const length = pattern.exec(text)?.[0].length;
    if (length === undefined) return false;
    kinds.fill(kind, at + inset, at + length - inset);
    at += length;
    return true;
  };
  const paintTemplate = () => {
    paint(TEMPLATE_TEXT, 'string', 0);
    if (text.charAt(at) === '`') templates.pop();
    at += text.charAt(at) === '`' ? 1 : 2;
  };
  while (at < text.length) {
    if (paint(LINE_COMMENT, 'comment', 0) || paint(BLOCK_COMMENT, 'comment', 0)) continue;
    if (paint(STRING, 'string', 1)) continue;
    const start = at;
    if (startsExpression(text, at) && paint(REGULAR_EXPRESSION, 'string', 1)) {
      expressions.push({ at: start, text: text.slice(start, at) });
      continue;
    }
    const character = text.charAt(at);
    at += 1;
    if (character === '`') {
      templates.push(0);
      paintTemplate();
    } else if (templates.length > 0 && (character === '{' || character === '}')) {
      const open = (templates.pop() ?? 0) + (character === '{' ? 1 : -1);
      templates.push(Math.max(open, 0));
      if (open < 0) paintTemplate();
    }
  }
  return { kinds, expressions };
}

function startsExpression(text: string, at: number): boolean {
  if (text.charAt(at) !== '/') return false;
  return BEFORE_EXPRESSION.test(text.slice(Math.max(0, at - LOOK_BACK_CHARACTERS), at));
}
