// The texts from the web in an answer with their places, and replacing the texts at these places.

type Text = string | readonly string[] | null | undefined;

/** One text of an item. `at` is its position in a list of texts. */
export interface Place<T> {
  index: number;
  field: keyof T & string;
  at: number | undefined;
  text: string;
}

export function placesOf<T extends object>(
  items: readonly T[],
  fields: readonly (keyof T & string)[],
): Place<T>[] {
  return items.flatMap((item, index) =>
    fields.flatMap((field): Place<T>[] => {
      const value = item[field] as Text;
      if (value === undefined || value === null) return [];
      if (typeof value === 'string') return [{ index, field, at: undefined, text: value }];
      return value.map((text, at) => ({ index, field, at, text }));
    }),
  );
}

/** The path of the text in the answer. */
export function pathOf<T>({ index, field, at }: Place<T>): string {
  return `results[${index}].${field}${at === undefined ? '' : `[${at}]`}`;
}

/** The items with these texts. The given items are not changed. */
export function withTexts<T extends object>(
  items: readonly T[],
  changes: readonly { place: Place<T>; text: string }[],
): T[] {
  const changed = [...items];
  /** Each item and each list is copied only once. */
  const own = new Set<object>();
  const owned = <Value extends object>(value: Value, copy: (value: Value) => Value): Value => {
    if (own.has(value)) return value;
    const made = copy(value);
    own.add(made);
    return made;
  };
  for (const { place, text } of changes) {
    const before = changed[place.index];
    if (!before) continue;
    const item = owned(before, (value) => ({ ...value }));
    changed[place.index] = item;
    const { field, at } = place;
    if (at === undefined) {
      Object.assign(item, { [field]: text });
      continue;
    }
    const list = owned(item[field] as string[], (value) => [...value]);
    list[at] = text;
    Object.assign(item, { [field]: list });
  }
  return changed;
}
