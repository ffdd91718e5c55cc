// Limits excerpts to exactly the number and length that a caller allows.

/** Cuts at an exact number of characters, never in the middle of one. */
export function cutTo(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? maxChars - 1 : maxChars);
}

export interface SnippetCaps {
  max_per_result?: number | undefined;
  max_chars_per_snippet?: number | undefined;
}

/** Exactly as many excerpts, and exactly as long, as a caller allows. */
export function capSnippets(snippets: readonly string[], caps: SnippetCaps): string[] {
  const { max_per_result, max_chars_per_snippet } = caps;
  const counted = snippets.slice(0, max_per_result);
  if (max_chars_per_snippet === undefined) return counted;
  return counted.map((snippet) => cutTo(snippet, max_chars_per_snippet));
}
