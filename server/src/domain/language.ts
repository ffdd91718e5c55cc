// Language tags: what a caller may write, and what vendors write back, brought to one form.

const tag_pattern = /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/;

/** The part before the first hyphen, in lower case. */
export function baseLanguage(tag: string): string {
  return (tag.split('-')[0] ?? tag).toLowerCase();
}

export function hasRegion(tag: string): boolean {
  return tag.includes('-');
}

/** A vendor's tag as a language tag of ours, or undefined when it cannot be one. */
export function readLanguage(tag: string | null | undefined): string | undefined {
  if (tag === null || tag === undefined) return undefined;
  const [base = '', ...rest] = tag.split(/[-_]/);
  const parts = rest.map((part) => (part.length === 2 ? part.toUpperCase() : part));
  const written = [base.toLowerCase(), ...parts].join('-');
  return tag_pattern.test(written) ? written : undefined;
}
