// Generates a request form from the contract's JSON schema, and a request from the filled fields.

export interface JsonSchema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  required?: readonly string[];
  $ref?: string;
}

type FieldKind = 'text' | 'choice' | 'number' | 'switch' | 'list' | 'date' | 'json';

export interface FieldSpec {
  /** The dotted path of the field in the API. */
  path: string;
  kind: FieldKind;
  required: boolean;
  description?: string | undefined;
  options?: readonly string[] | undefined;
  min?: number | undefined;
  max?: number | undefined;
  fallback?: unknown;
}

export type Filled = Readonly<Record<string, string>>;

/** Has its own place on the page, because it is chosen first. */
const separateField = 'provider';
/** Each provider has its own options, so they are entered as JSON. */
const nativeOptions = 'provider_options';

export function fieldsOf(schema: JsonSchema, before = ''): FieldSpec[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    if (before === '' && name === separateField) return [];
    const path = before === '' ? name : `${before}.${name}`;
    if (part.type === 'object' && path !== nativeOptions) return fieldsOf(part, path);
    return [
      {
        path,
        kind: path === nativeOptions ? 'json' : kindOf(part),
        required: schema.required?.includes(name) === true && part.default === undefined,
        description: part.description,
        options: part.enum,
        min: part.minimum,
        max: part.maximum,
        fallback: part.default,
      },
    ];
  });
}

/** Only the filled fields; the gateway applies the defaults and checks the values. */
export function requestFrom<T = Record<string, unknown>>(
  fields: readonly FieldSpec[],
  filled: Filled,
): T {
  const request: Record<string, unknown> = {};
  for (const { path, kind } of fields) {
    const text = filled[path]?.trim() ?? '';
    if (text === '') continue;
    put(request, path.split('.'), valueOf(kind, text));
  }
  return request as T;
}

function kindOf(schema: JsonSchema): FieldKind {
  if (schema.enum) return 'choice';
  if (schema.type === 'boolean') return 'switch';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'array') return 'list';
  return schema.pattern?.startsWith('^\\d{4}-') ? 'date' : 'text';
}

function valueOf(kind: FieldKind, text: string): unknown {
  if (kind === 'number') return Number(text);
  if (kind === 'switch') return text === 'true';
  if (kind === 'list') return text.split(/\s*[\n,]\s*/).filter((entry) => entry !== '');
  if (kind === 'json') return parsed(text);
  return text;
}

/** Text that is not JSON is sent unchanged, and the gateway says what is wrong with it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function put(target: Record<string, unknown>, [first = '', ...rest]: string[], value: unknown) {
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const inner = (target[first] ?? {}) as Record<string, unknown>;
  target[first] = inner;
  put(inner, rest, value);
}
