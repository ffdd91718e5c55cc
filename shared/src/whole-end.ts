// Where a text may be cut.

/** `end`, or one less where a cut would split a character of two code units. */
export function wholeEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
