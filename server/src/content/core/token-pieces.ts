// Cuts a text into pieces that are encoded separately: a tokenizer takes quadratic time for a run
// without spaces, and a page may be one long run.

const maxPiece = 1000;
/** Used if no space is near. A run that is cut has a few more tokens, so a budget is still kept. */
const maxRun = 200;

/** A word includes the space before it, so a cut there changes no token. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = endOfPiece(text, from);
    yield text.slice(from, end);
    from = end;
  }
}

function endOfPiece(text: string, from: number): number {
  if (text.length - from <= maxRun) return text.length;
  for (let at = Math.min(from + maxPiece, text.length - 1); at > from; at -= 1) {
    const isBetweenWords =
      text[at] === ' ' && !isSpace(text.charCodeAt(at - 1)) && !isSpace(text.charCodeAt(at + 1));
    if (isBetweenWords) return at;
  }
  const end = from + maxRun;
  const last = text.charCodeAt(end - 1);
  // A surrogate pair is not split.
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

function isSpace(code: number): boolean {
  return code <= 32 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000;
}
