// A request form made from the contract: its JSON schema as fields, and filled fields as a request.

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

export type FieldKind = 'text' | 'choice' | 'number' | 'switch' | 'list' | 'date';

export interface FieldSpec {
  /** As the API spells it, with dots between its steps. */
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

/** What the page lays out by hand, because it is chosen before anything else. */
const apart = ['provider', 'provider_options'];

export function fieldsOf(schema: JsonSchema, before = ''): FieldSpec[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    if (before === '' && apart.includes(name)) return [];
    const path = before === '' ? name : `${before}.${name}`;
    if (part.type === 'object') return fieldsOf(part, path);
    return [
      {
        path,
        kind: kindOf(part),
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

/** Only what was filled in; the gateway knows the defaults. */
export function requestFrom(fields: readonly FieldSpec[], filled: Filled): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  for (const { path, kind } of fields) {
    const text = filled[path]?.trim() ?? '';
    if (text === '') continue;
    put(request, path.split('.'), valueOf(kind, text));
  }
  return request;
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
  return text;
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
