// Tags of a request, kept as one text: `team=search,run=42`. Names and values contain neither
// commas nor equals signs.

export function readTags(text: string | null): Record<string, string> {
  return Object.fromEntries(tagPairs(text));
}

export function tagPairs(text: string | null | undefined): [name: string, value: string][] {
  if (text === null || text === undefined || text === '') return [];
  return text.split(',').map((tag) => {
    const at = tag.indexOf('=');
    return [tag.slice(0, at), tag.slice(at + 1)];
  });
}

/** The day of a row into which the old days of a tag value with a budget are folded. */
export const foldedDay = 0;
