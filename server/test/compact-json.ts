// Prints JSON for people and for short files: a value that fits into a line is one line, and any
// other has one entry on each line. The brackets of a list of such objects share their lines.

const maxColumns = 140;

/** Ends with a line break. */
export function compactJson(value: unknown): string {
  return `${print(value, '', 0)}\n`;
}

/** `before` is the number of columns before the value on its first line. */
function print(value: unknown, indent: string, before: number): string {
  const line = oneLine(value);
  // A comma may follow.
  if (typeof value !== 'object' || value === null || before + line.length < maxColumns) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => isLong(item, inner))) {
      return `[${value.map((item) => print(item, indent, maxColumns)).join(', ')}]`;
    }
    if (value.every((item) => typeof item !== 'object')) return fill(value, indent);
    const items = value.map((item) => inner + print(item, inner, inner.length));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value).map(([name, field]) => {
    const key = `${inner}${JSON.stringify(name)}: `;
    return key + print(field, inner, key.length);
  });
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

/** An object that does not fit into a line of its own. */
function isLong(value: unknown, indent: string): boolean {
  return print(value, indent, indent.length).startsWith('{\n');
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}: ${oneLine(field)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** As many entries on each line as fit. */
function fill(values: readonly unknown[], indent: string): string {
  const inner = `${indent}  `;
  const lines: string[] = [];
  for (const value of values) {
    const text = JSON.stringify(value);
    const last = lines.at(-1);
    const room = last === undefined ? 0 : maxColumns - last.length - text.length;
    if (last !== undefined && room > ', ,'.length) lines[lines.length - 1] = `${last}, ${text}`;
    else lines.push(inner + text);
  }
  return `[\n${lines.join(',\n')}\n${indent}]`;
}
