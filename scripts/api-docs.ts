// Tables in the documentation that come from the API: the fields of requests, and the methods of the
// admin clients. `npm run generate -- docs` writes them into their pages; a test compares.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods, schemas } from './admin-methods.ts';
import type { Fields } from './admin-methods.ts';
import { projectRoot } from './command.ts';
import type { Schema } from './python-models.ts';

type Rows = readonly (readonly string[])[];

/** The first table of each page that begins with a cell. */
const tables: readonly (readonly [page: string, cell: string, rows: () => Rows])[] = [
  ['search', 'Field', () => fieldRows('SearchRequest')],
  ['extract', 'Field', () => fieldRows('ExtractRequest')],
  ['transcription', 'Field', () => fieldRows('TranscriptionRequest')],
  ['policies', 'Field', () => fieldRows('AccountRequest', ['name'])],
  ['sdk', 'Part', () => methodRows((verb) => verb)],
  ['python', 'Part', () => methodRows(snake)],
];

/** The text of each page with its table, by its path in the project. */
export function apiPages(): Map<string, string> {
  return new Map(
    tables.map(([page, cell, rows]) => {
      const path = `docs/${page}.md`;
      const text = readFileSync(join(projectRoot, path), 'utf8');
      const table = new RegExp(`^\\| ${cell} [^\\n]*\\n(?:\\|[^\\n]*\\n)+`, 'm');
      if (!table.test(text)) throw new Error(`${path} has no table that begins with ${cell}.`);
      return [path, text.replace(table, () => formatTable(rows()))];
    }),
  );
}

function fieldRows(name: string, omitted: readonly string[] = []): Rows {
  const rows = (fields: Fields, above: string): Rows =>
    Object.entries(fields).flatMap(([field, schema]) => {
      const { properties = {}, description = '' } = schema;
      const isNative = Object.values(properties).some(({ $ref }) =>
        $ref?.endsWith('NativeOptions'),
      );
      if (schema.properties && !isNative) return rows(properties, `${above}${field}.`);
      return [[code(above + field), valuesOf(schema), description.replaceAll(names, '`$&`')]];
    });
  const { properties = {} } = schemas[name] ?? {};
  const wanted = Object.entries(properties).filter(([field]) => !omitted.includes(field));
  return [['Field', 'Values', 'Meaning'], ...rows(Object.fromEntries(wanted), '')];
}

/** Names of fields and settings inside a description. */
const names = /\b(?:[a-z]+_[a-z_]+|TRIVIUM_\w+)\b/g;

function valuesOf(schema: Schema): string {
  const { default: value } = schema;
  const ending = value === undefined ? '' : `; ${code(value)} by default`;
  return `${kindOf(schema)}${ending}`;
}

type Limits = Record<`${'min' | 'max'}${'imum' | 'Items'}`, number | undefined>;

function kindOf(schema: Schema): string {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null');
  if (inner) return kindOf(inner);
  if (schema.$ref !== undefined) return kindOf(schemas[schema.$ref.replace(/^.*\//, '')] ?? {});
  const { enum: values, items, type, format, pattern = '' } = schema;
  const { minimum, maximum, minItems, maxItems } = schema as unknown as Limits;
  if (values) {
    const others = values.filter((one) => !/^(?:engine|stt)_/.test(one)).map(code);
    return [...(others.length < values.length ? ['an id'] : []), ...others].join(', ');
  }
  if (items) {
    if (items.enum) return kindOf(items);
    return `a list${maxItems === undefined ? '' : `, ${rangeOf(minItems, maxItems)} entries`}`;
  }
  if (type === 'boolean') return 'true, false';
  if (type === 'object') return 'an object for each provider';
  if (type === 'integer' || type === 'number') return rangeOf(minimum, maximum);
  if (format === 'uri') return 'a URL';
  if (pattern.startsWith(String.raw`^\d{4}-`)) return '`YYYY-MM-DD`';
  return pattern === '^[a-zA-Z]{2}$' ? 'two letters' : 'text';
}

function rangeOf(least: number | undefined, most: number | undefined): string {
  if (most === undefined) return `${least ?? 0} or more`;
  const shown = most.toLocaleString('en-US');
  return least === undefined ? `up to ${shown}` : `${least} to ${shown}`;
}

function code(value: unknown): string {
  return `\`${String(value)}\``;
}

/** Parts with the same methods share a row. */
function methodRows(spell: (verb: string) => string): Rows {
  const parts = Map.groupBy(methods, ({ resource = '' }) => resource);
  const rows = new Map<string, string[]>();
  for (const [part, own] of parts) {
    const verbs = own.map(({ verb }) => code(spell(verb))).join(', ');
    rows.set(verbs, [...(rows.get(verbs) ?? []), part === '' ? 'functions' : code(part)]);
  }
  return [['Part', 'Methods'], ...[...rows].map(([verbs, names]) => [names.join(', '), verbs])];
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);
}

export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const [head = '', ...body] = rows.map((row) =>
    line(row.map((cell, at) => cell.padEnd(widths[at] ?? 0))),
  );
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('');
}
