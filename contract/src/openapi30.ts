// The API description as OpenAPI 3.0, for generators that do not support 3.1. It differs in
// how nullable values and the siblings of a reference are written, and states no condition.
import { openApiDocument } from './openapi.ts';

type Json = Readonly<Record<string, unknown>>;

type Schemas = Readonly<Record<string, Json>>;

export function openApi30Document(): object {
  const { info, paths, components, ...rest } = openApiDocument() as unknown as Record<string, Json>;
  const { license, ...about } = info ?? {};
  const { name } = license as { name: string };
  const { schemas, ...others } = components as { schemas: Schemas };
  const convert = converter(schemas);
  const kept = Object.entries(schemas).filter(([, schema]) => !isEnum(schema));
  return {
    ...rest,
    openapi: '3.0.3',
    info: { ...about, license: { name } },
    paths: convert(othersThan(paths ?? {}, openAiPath)),
    components: {
      ...others,
      schemas: Object.fromEntries(
        kept.map(([given, schema]) => [nameIn(schemas, given), convert(schema)]),
      ),
    },
  };
}

/**
 * Left out: Rust's generator does not support forms with files, and OpenAI's clients exist for
 * this.
 */
const openAiPath = '/v1/audio/transcriptions';

function othersThan(paths: Json, left: string): Json {
  return Object.fromEntries(Object.entries(paths).filter(([path]) => path !== left));
}

/** Go has a single namespace for the names of values, and several of these lists share values. */
function isEnum(schema: Json): boolean {
  return Array.isArray(schema['enum']);
}

/** In Go, `NewKey` would be the function that creates a `Key`. */
function nameIn(schemas: Schemas, given: string): string {
  const [, plain = ''] = /^New(\w+)$/.exec(given) ?? [];
  return Object.hasOwn(schemas, plain) ? `${plain}Created` : given;
}

function converter(schemas: Schemas): (value: unknown) => unknown {
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (!isObject(value)) return value;
    const { $ref } = value;
    if (typeof $ref === 'string') return reference($ref.slice(schemaPlace.length));
    return schemaOf(mapValues(value, convertPart));
  };
  const convertPart = (part: unknown, name: string): unknown => {
    // Examples are values, so nothing in them is a schema.
    if (name === 'example' || name === 'examples') return part;
    if (name === 'content' && isObject(part)) return convert(oneFormat(part));
    // A property may have the name of a keyword.
    return name === 'properties' && isObject(part) ? mapValues(part, convert) : convert(part);
  };
  // A reference has no siblings.
  const reference = (name: string) => {
    const schema = schemas[name] ?? {};
    return isEnum(schema) ? convert(schema) : { $ref: schemaPlace + nameIn(schemas, name) };
  };
  return convert;
}

/** Some generators support only one format of a body: JSON, or the bytes themselves. */
function oneFormat(content: Json): Json {
  const [first = ''] = Object.keys(content);
  const preferred = ['application/json', 'application/octet-stream', first];
  const format = preferred.find((type) => Object.hasOwn(content, type)) ?? first;
  return { [format]: content[format] };
}

const schemaPlace = '#/components/schemas/';

function mapValues(value: Json, change: (part: unknown, name: string) => unknown): Json {
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, change(part, name)]),
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** One schema whose parts are already converted. Other objects have none of these fields. */
function schemaOf(schema: Json): Json {
  const { anyOf, type, exclusiveMinimum, ...others } = schema;
  const { propertyNames: _names, if: _if, then: _then, ...rest } = others;
  if (Array.isArray(anyOf)) return { ...rest, ...alternatives(anyOf as Json[]) };
  return {
    ...rest,
    ...typeOf(type),
    ...(typeof exclusiveMinimum === 'number'
      ? { minimum: exclusiveMinimum, exclusiveMinimum: true }
      : {}),
  };
}

function typeOf(type: unknown): Json {
  if (!Array.isArray(type)) return type === undefined ? {} : { type };
  const [only] = type.filter((one) => one !== 'null');
  return { type: only, nullable: true };
}

function alternatives(anyOf: readonly Json[]): Json {
  const others = anyOf.filter(({ type }) => type !== 'null');
  const [only] = others;
  if (others.length === anyOf.length) return { anyOf };
  if (others.length > 1) return { anyOf: others, nullable: true };
  return only?.['$ref'] === undefined
    ? { ...only, nullable: true }
    : { allOf: [only], nullable: true };
}
