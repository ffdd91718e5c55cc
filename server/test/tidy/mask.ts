// Splits a source text into code, comments and strings, so that a rule reads only what it checks.

export interface Masked {
  /** Comments and the contents of strings blanked; quotes stay, so that strings are visible. */
  code: string;
  /** Only comments blanked. */
  words: string;
  /** Everything but comments blanked. */
  comments: string;
}

/** Returns three texts of the same length, with the same line breaks. */
export function maskSource(text: string): Masked {
  const { spans } = classify(text);
  const keep = (wanted: (kind: Kind) => boolean) =>
    spans
      .map(({ from, to, kind }) => {
        const part = text.slice(from, to);
        return wanted(kind) ? part : part.replaceAll(/[^\n]+/g, (run) => ' '.repeat(run.length));
      })
      .join('');
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

interface Span {
  from: number;
  to: number;
  kind: Kind;
}

/** Nothing here begins or ends anything. */
const plainCode = /[^/'"`{}]+/y;
const lineComment = /\/\/[^\n]*/y;
const blockComment = /\/\*[\s\S]*?\*\//y;
const string = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const templateText = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
// After one of these a slash begins a regular expression; after a value it divides.
const beforeExpression = /(?:^|[([{,;=:!&|?+\-*%~^<>]|\b(?:return|typeof|case|of|in|await))\s*$/;
const lookBackCharacters = 40;

function classify(text: string): { spans: Span[]; expressions: WrittenExpression[] } {
  const spans: Span[] = [];
  const expressions: WrittenExpression[] = [];
  // One entry per open template: how many braces are open inside its current expression.
  const templates: number[] = [];
  let [at, painted] = [0, 0];
  const add = (from: number, to: number, kind: Kind) => {
    spans.push({ from: painted, to: from, kind: 'code' }, { from, to, kind });
    painted = to;
  };
  const paint = (pattern: RegExp, kind: Kind, inset: number): boolean => {
    pattern.lastIndex = at;
    const length = pattern.exec(text)?.[0].length;
    if (length === undefined) return false;
    if (kind !== 'code') add(at + inset, at + length - inset, kind);
    at += length;
    return true;
  };
  const paintTemplate = () => {
    paint(templateText, 'string', 0);
    if (text.charAt(at) === '`') templates.pop();
    at += text.charAt(at) === '`' ? 1 : 2;
  };
  while (at < text.length) {
    if (paint(plainCode, 'code', 0)) continue;
    if (paint(lineComment, 'comment', 0) || paint(blockComment, 'comment', 0)) continue;
    if (paint(string, 'string', 1)) continue;
    const start = at;
    if (startsExpression(text, at) && paint(regularExpression, 'string', 1)) {
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
  add(text.length, text.length, 'code');
  return { spans, expressions };
}

function startsExpression(text: string, at: number): boolean {
  if (text.charAt(at) !== '/') return false;
  return beforeExpression.test(text.slice(Math.max(0, at - lookBackCharacters), at));
}
