// The contract's JSON schemas as plain TypeScript, so that the package has no type dependencies.

export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
};

export function typesOfSchemas(schemas: Readonly<Record<string, Schema>>): string {
  const declarations = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema, '')}export type ${name} = ${typeOf(schema, '')};\n`,
  );
  return declarations.join('\n');
}

export function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf !== undefined) return union(schema.anyOf.map((one) => typeOf(one, indent)));
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  }
  if (schema.type === 'array') return `Array<${typeOf(schema.items ?? {}, indent)}>`;
  if (schema.type === 'object') return objectType(schema, indent);
  return (schema.type === undefined ? undefined : simpleTypes[schema.type]) ?? 'unknown';
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, value]) => {
    const mark = required.includes(name) ? '' : '?';
    const absent = mark === '' ? '' : ' | undefined';
    return `${comment(value, inner)}${inner}${name}${mark}: ${typeOf(value, inner)}${absent};\n`;
  });
  if (typeof additionalProperties === 'object') {
    // An index signature must fit the named fields beside it, and only unknown fits all of them.
    const more = lines.length > 0 ? 'unknown' : typeOf(additionalProperties, inner);
    lines.push(`${inner}[name: string]: ${more};\n`);
  }
  return `{\n${lines.join('')}${indent}}`;
}

function union(members: readonly string[]): string {
  return [...new Set(members)].join(' | ');
}

function comment({ description, $ref }: Schema, indent: string): string {
  if (description === undefined || $ref !== undefined) return '';
  return `${indent}/** ${description.replaceAll('*/', '* /')} */\n`;
}
