// Shares a budget of tokens among the texts of an answer by rank, and finds where to cut a text.

/** How many tokens each text may have: the first results keep most, and what one does not need goes to the others. */
export function shareBudget(
  texts: readonly { tokens: number; rank: number }[],
  budget: number,
): number[] {
  const shares = texts.map(() => 0);
  let open = texts.map((_, at) => at);
  let left = budget;
  // Every round satisfies at least one text, or ends.
  while (open.length > 0 && left > 0) {
    const weights = open.map((at) => weightOf(texts[at]?.rank ?? 0));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const offers = open.map((_, at) => (left * (weights[at] ?? 0)) / sum);
    const satisfied = open.filter((at, index) => (texts[at]?.tokens ?? 0) <= (offers[index] ?? 0));
    if (satisfied.length === 0) {
      for (const [index, at] of open.entries()) shares[at] = Math.floor(offers[index] ?? 0);
      break;
    }
    for (const at of satisfied) {
      shares[at] = texts[at]?.tokens ?? 0;
      left -= shares[at] ?? 0;
    }
    open = open.filter((at) => !satisfied.includes(at));
  }
  return shares;
}

/** The tenth result gets a quarter of what the first one gets. */
function weightOf(rank: number): number {
  return 1 / (1 + rank / 3);
}

const endOfSentence = /[.!?\u0964\u06d4]["'”’)\]]?(?=\s|$)|[\u3002\uff01\uff1f]|\n/g;

/** The text up to the last end of a sentence, unless that would lose more than half of it. */
export function cutAtSentence(text: string): string {
  let end = 0;
  for (const match of text.matchAll(endOfSentence)) end = match.index + match[0].length;
  if (end * 2 >= text.length) return text.slice(0, end).trimEnd();
  const space = text.lastIndexOf(' ');
  return space * 2 >= text.length ? text.slice(0, space) : withoutHalf(text);
}

/** Without the first half of a character that has two code units. */
function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
