// Compares the public types of a vendor's client with those of the last run: new, removed,
// renamed, changed or deprecated.

/** Fields with their types in words, by the name of the type they are in. */
export type Types = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A client as one run saw it. */
export interface Client {
  package: string;
  version: string;
  types: Types;
}

/** One line for each difference, in the order of the types. */
export function compareTypes(before: Types, after: Types): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name) => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    if (!old) return [`new type ${name}: ${Object.keys(now ?? {}).join(', ')}`];
    if (!now) return [`type ${name} is gone`];
    return compareFields(name, old, now);
  });
}

type Fields = Types[string];

function compareFields(type: string, before: Fields, after: Fields): string[] {
  const gone = Object.keys(before).filter((field) => !Object.hasOwn(after, field));
  const added = Object.keys(after).filter((field) => !Object.hasOwn(before, field));
  const renamed = new Map<string, string>();
  for (const field of gone) {
    const other = added.find((one) => !isTaken(renamed, one) && isRenamed(field, one));
    if (other !== undefined && sameType(before[field], after[other])) renamed.set(field, other);
  }
  return [
    ...[...renamed].map(([from, to]) => `renamed ${type}.${from} to ${to}, as it seems`),
    ...added
      .filter((field) => !isTaken(renamed, field))
      .map((field) => `new ${type}.${field}: ${after[field]}`),
    ...gone.filter((field) => !renamed.has(field)).map((field) => `gone ${type}.${field}`),
    ...Object.keys(before)
      .filter((field) => Object.hasOwn(after, field))
      .flatMap((field) => changeOf(type, field, before[field], after[field])),
  ];
}

function changeOf(type: string, field: string, before = '', after = ''): string[] {
  if (before === after) return [];
  const place = `${type}.${field}`;
  if (isDeprecated(after) && !isDeprecated(before)) return [`deprecated ${place}`];
  return [`changed ${place}: ${before} is now ${after}`];
}

function isTaken(renamed: ReadonlyMap<string, string>, field: string): boolean {
  return [...renamed.values()].includes(field);
}

function sameType(one = '', other = ''): boolean {
  return one.replace(deprecation, '') === other.replace(deprecation, '');
}

const deprecation = / ?\(deprecated\)$/;

function isDeprecated(words: string): boolean {
  return deprecation.test(words);
}

/** Names that share at least half of their words: `max_hours` and `max_age_hours`. */
function isRenamed(one: string, other: string): boolean {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  const shared = first.filter((word) => second.includes(word)).length;
  return shared > 0 && shared * 2 >= Math.max(first.length, second.length);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
