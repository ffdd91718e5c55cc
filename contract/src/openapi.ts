// The OpenAPI 3.1 document, generated from the schemas that validate requests.
import { z } from 'zod';
import { providerIds } from './provider-names.ts';
import { components } from './openapi-components.ts';
import { paths } from './openapi-paths.ts';

const apiVersion = '1.0.0';

export function openApiDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trivium',
      version: apiVersion,
      description:
        `Web search, page extraction and transcription from ${providerIds.length} providers, ` +
        'with one key, one request shape and one bill.',
      contact: { name: 'The operator of this gateway' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags,
    paths: paths(),
    components: {
      schemas: jsonSchemas(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A key that starts with sk_live_.' },
        operator: { type: 'http', scheme: 'bearer', description: 'The operator token.' },
      },
    },
  };
}

const tags = [
  { name: 'search', description: 'Web search.' },
  { name: 'extract', description: 'Content of web pages.' },
  { name: 'transcription', description: 'Speech to text, as jobs.' },
  { name: 'account', description: 'The balance of the caller, and the providers.' },
  { name: 'agents', description: 'How a person gives an agent access to the tools: OAuth 2.1.' },
  { name: 'admin', description: 'Accounts, keys, money and people, for operators.' },
];

type JsonSchema = Record<string, unknown>;

/** Generated as input: fields with a default are optional, and responses may gain fields. */
function jsonSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, withoutIds(schema)]),
  );
}

/** Removes constraints that zod adds and that mean nothing to a reader of the document. */
function simplify(schema: JsonSchema): void {
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['format'] === 'date-time') delete schema['pattern'];
  // Client generators support an enum of one value better than a constant.
  if ('const' in schema) {
    schema['enum'] = [schema['const']];
    delete schema['const'];
  }
  moveDefault(schema);
}

/**
 * To people a default is a sentence, because generators misread the keyword: openapi-typescript
 * makes the field required, and the clients for Java and Python send it with every request.
 */
function moveDefault(schema: JsonSchema): void {
  if (!('default' in schema)) return;
  const sentence = `Default: ${JSON.stringify(schema['default'])}.`;
  schema['description'] = [schema['description'], sentence].filter(Boolean).join(' ');
  delete schema['default'];
}

/** A component is identified by its place in the document, so it needs no `$id`. */
function withoutIds(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _name, ...rest } = schema;
  return rest;
}
