// Cuts a text into pieces that are encoded one by one: the time that a tokenizer takes for a run
// without spaces grows with the square of its length, and a page may be one long run.

const maxPiece = 1000;
/** Without a space in reach. A run that is cut has a few more tokens, so a budget still holds. */
const maxRun = 200;

/** A word takes the space before it, so a cut there changes no token. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = endOfPiece(text, from);
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces;
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
  // A character of two code units stays whole.
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

function isSpace(code: number): boolean {
  return code <= 32 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000;
}
