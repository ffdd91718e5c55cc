// Finds where to cut a text: at the end of a sentence or of a word.

const endOfSentence = /[.!?\u0964\u06d4]["'”’)\]]?(?=\s|$)|[\u3002\uff01\uff1f]|\n/g;

/** The text up to the last end of a sentence, unless that would lose more than half of it. */
export function cutAtSentence(text: string): string {
  let end = 0;
  for (const match of text.matchAll(endOfSentence)) end = match.index + match[0].length;
  if (end * 2 >= text.length) return text.slice(0, end).trimEnd();
  const space = text.lastIndexOf(' ');
  return space * 2 >= text.length ? text.slice(0, space) : withoutHalf(text);
}

/** Drops the first half of a character that has two code units. */
export function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
