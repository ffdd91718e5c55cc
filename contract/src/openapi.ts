// The API described for machines, as OpenAPI 3.1, made from the very schemas that check requests.
import { z } from 'zod';
import { components } from './openapi-components.ts';
import { paths } from './openapi-paths.ts';

export const api_version = '1.0.0';

export function openApiDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trivium',
      version: api_version,
      description:
        'Web search, page extraction and transcription from fourteen providers, ' +
        'with one key, one request shape and one bill.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: ['search', 'extract', 'transcription', 'account', 'admin'].map((name) => ({ name })),
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

type JsonSchema = Record<string, unknown>;

/** Made as input throughout: fields with a default are optional, and answers may gain fields. */
function jsonSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]));
}

/** What zod adds for its own precision says nothing to a reader of JSON. */
function simplify(schema: JsonSchema): void {
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['format'] === 'date-time') delete schema['pattern'];
  // Generators of clients know a list of one value better than a constant.
  if ('const' in schema) {
    schema['enum'] = [schema['const']];
    delete schema['const'];
  }
}

/** A component is known by its place in the document, so a second name would only mislead. */
function bare(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _name, ...rest } = schema;
  return rest;
}
