// Checks that the OpenAPI document is valid and complete, and that its examples fit their schemas.
import { describe, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { expect, proves } from '../../e2e/proves.ts';
import { ErrorEnvelope } from './errors.ts';
import { errorStatus } from './gateway-error.ts';
import { documentedErrors, namedSchemas, openApiDocument } from './openapi.ts';
import { openApi30Document } from './openapi30.ts';
import { searchEngineIds } from './provider-names.ts';
import { SearchRequest } from './search.ts';

/** Some responses are files, not JSON. */
const notJson = { 'application/json': z.undefined().optional() };
const File = z.object({ 'text/csv': z.object({}), ...notJson });
const Page = z.object({ 'text/html': z.object({}), ...notJson });
const Content = z.object({
  'application/json': z.object({
    schema: z.object({ $ref: z.string() }),
    examples: z.record(z.string(), z.object({ value: z.unknown() })),
  }),
});
/** The requests of an upload and of a token are not JSON. */
const FileContent = z.object({ 'multipart/form-data': z.looseObject({}) });
const FormContent = z.object({ 'application/x-www-form-urlencoded': z.looseObject({}) });
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]),
  requestBody: z.object({ content: z.union([Content, FileContent, FormContent]) }).optional(),
  responses: z.record(z.string(), z.object({ content: z.union([Content, File, Page]) })),
  security: z.array(z.looseObject({})).optional(),
});
const Document = z.object({
  openapi: z.string(),
  info: z.object({ version: z.string() }),
  security: z.array(z.looseObject({})),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), z.looseObject({})),
    securitySchemes: z.record(z.string(), z.looseObject({})),
  }),
});

const document = Document.parse(openApiDocument());
const components = namedSchemas();
const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ verb, path, operation })),
);

test('the document is valid OpenAPI 3.1', async () => {
  const verdict = await new Validator().validate({ ...openApiDocument() });
  proves('surface.openapi', () => {
    expect([verdict.errors, verdict.valid]).toEqual([undefined, true]);
    expect(document.openapi).toBe('3.1.0');
  });
  proves('versioning.description', () => expect(document.info.version).toBe('1.0.0'));
}, 30_000);

test.each([
  ['post', '/v1/search', '200 400 401 402 501 502 503'],
  ['post', '/v1/extract', '200 400 401 402 502 503'],
  ['post', '/v1/transcriptions', '202 400 401 402 404 503'],
  ['get', '/v1/jobs/{id}', '200 400 401 402 404 503'],
])('%s %s has its documented statuses %s, and requires the bearer key', (verb, path, statuses) => {
  const { responses, security = document.security } = document.paths[path]?.[verb] ?? {};
  proves(
    [
      'errors.documented.search',
      'errors.documented.extract',
      'errors.documented.transcription',
      'errors.documented.jobs',
    ],
    () => expect(Object.keys(responses ?? {})).toEqual(expect.arrayContaining(statuses.split(' '))),
  );
  const names = security.flatMap((one) => Object.keys(one));
  const schemes = names.map((name) => document.components.securitySchemes[name]);
  proves('surface.openapi-bearer', () =>
    expect(schemes).toEqual([expect.objectContaining({ type: 'http', scheme: 'bearer' })]),
  );
});

test('the form of OpenAPI 3.0 is valid, and has the same operations', async () => {
  const older = { ...openApi30Document() };
  const validator = new Validator();
  const verdict = await validator.validate(structuredClone(older));
  expect([verdict.errors, validator.version]).toEqual([undefined, '3.0']);
  const text = JSON.stringify(older);
  // Keywords of OpenAPI 3.1 that the validator accepts.
  expect(text.match(/"type":(?:\["|"null")|"(?:const|propertyNames)":/g)).toBeNull();
  const idsIn = (written: string): string[] => written.match(/(?<="operationId":")\w+/g) ?? [];
  // Generators cannot send it, and OpenAI's own clients can.
  const left = ['createOpenAiTranscription'];
  const all = idsIn(JSON.stringify(openApiDocument()));
  expect(idsIn(text)).toEqual(all.filter((id) => !left.includes(id)));
  const { schemas } = (older as { components: { schemas: Record<string, unknown> } }).components;
  const referred = new Set(text.match(/(?<="#\/components\/schemas\/)\w+/g));
  expect([...referred].filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
  expect(schemas).toMatchObject({
    KeyCreated: {},
    Job: { properties: { result: { allOf: [{}], nullable: true } } },
    SearchResult: { properties: { title: { type: 'string', nullable: true } } },
    TopupRequest: { properties: { amount_usd: { minimum: 0, exclusiveMinimum: true } } },
  });
}, 30_000);

test('the validator rejects a broken document', async () => {
  const verdict = await new Validator().validate({ ...openApiDocument(), paths: { x: 1 } });
  expect(verdict.valid).toBe(false);
});

test('the document is JSON and does not change between calls', () => {
  const written = JSON.stringify(openApiDocument());
  expect(JSON.parse(written)).toEqual(openApiDocument());
  expect(JSON.stringify(openApiDocument())).toBe(written);
});

test('the statuses of an operation follow from its input', () => {
  const documented = operations.map(({ verb, path, operation }) => [
    `${verb} ${path}`,
    Object.keys(operation.responses).map(Number),
  ]);
  expect(Object.fromEntries(documented)).toMatchObject({
    'post /v1/search': [200, 400, 401, 402, 409, 413, 429, 500, 501, 502, 503],
    'get /v1/jobs/{id}': [200, 400, 401, 402, 404, 429, 500, 503],
    'get /v1/usage': [200, 400, 401, 429, 500],
    'get /v1/balance': [200, 401, 429, 500],
    'post /v1/uploads': [201, 400, 401, 413, 429, 500, 503],
    'post /admin/v1/accounts': [201, 400, 401, 409, 413, 500],
    'get /admin/v1/accounts/{id}': [200, 401, 404, 429, 500, 503],
    'post /admin/v1/accounts/{id}/topups': [201, 400, 401, 404, 409, 413, 500, 503],
    'delete /admin/v1/keys/{id}': [200, 401, 404, 500],
    'get /admin/v1/settings': [200, 401, 500],
    'post /admin/v1/join': [201, 400, 403, 404, 413, 500],
    'post /oauth/token': [200, 400, 401, 413, 429, 500],
    'get /oauth/authorize': [200, 400, 500],
  });
});

test('every paid POST accepts its headers, and a job is read by its id', () => {
  for (const { path, operation } of operations) {
    const isFree = path.startsWith('/v1/estimates/') || path === '/v1/feedback';
    if (!path.startsWith('/v1/') || isFree) continue;
    const given = operation.parameters.filter((parameter) => parameter.in !== 'query');
    const checked = path === '/v1/jobs/{id}' ? ['x-trivium-content'] : [];
    const expected = path.includes('{id}') ? ['id', ...checked] : [];
    const own = path.endsWith('/transcriptions')
      ? ['x-trivium-webhook']
      : ['x-trivium-cache', 'x-trivium-content', 'x-trivium-max-tokens'];
    if (path === '/v1/search') own.push('x-trivium-explain');
    const headers = ['Idempotency-Key', 'x-max-cost-usd', 'x-trivium-tags', ...own];
    const takesFile = 'multipart/form-data' in (operation.requestBody?.content ?? {});
    const isPaid = operation.requestBody && !(takesFile && path === '/v1/uploads');
    expect(given.map(({ name }) => name)).toEqual(isPaid ? headers : expected);
  }
});

test('every documented error type can have that status', () => {
  const overridden: Record<string, readonly number[]> = {
    invalid_request: [409, 413],
    provider_not_available: [503],
    unauthorized: [403],
  };
  for (const [status, types] of Object.entries(documentedErrors)) {
    for (const type of types) {
      expect([errorStatus[type], ...(overridden[type] ?? [])]).toContain(Number(status));
    }
  }
});

test('no operation id makes the name of a schema in a generated client', () => {
  const names = new Set(Object.keys(document.components.schemas));
  const made = operations.flatMap(({ operation: { operationId } }) => {
    const stem = operationId.charAt(0).toUpperCase() + operationId.slice(1);
    return ['', 'Request', 'Response', 'Params', 'Data', 'Error'].map((end) => stem + end);
  });
  expect(made.filter((name) => names.has(name))).toEqual([]);
  expect(new Set(made).size).toBe(made.length);
});

test('everything is described: tags, operations, parameters, headers, schemas and fields', () => {
  const bare: string[] = [];
  const look = (one: unknown, place: string) => {
    const { description, $ref } = Object(one) as Record<string, unknown>;
    if ($ref === undefined && !/\w.*[.]$/.test(String(description ?? ''))) bare.push(place);
  };
  visit(openApiDocument(), '', (one, place) => {
    if (/\.(?:example|if\b|then\b)/.test(place)) return;
    for (const key of ['tags', 'parameters']) {
      const list = one[key];
      if (Array.isArray(list) && typeof list[0] === 'object') {
        list.forEach((item, index) => look(item, `${place}.${key}.${index}`));
      }
    }
    if ('operationId' in one) look(one, place);
    for (const key of ['headers', 'properties', 'responses']) {
      const inner = Object.entries(Object(one[key]) as object);
      for (const [name, item] of inner) look(item, `${place}.${key}.${name}`);
    }
  });
  for (const [name, schema] of Object.entries(document.components.schemas)) look(schema, name);
  expect(bare).toEqual([]);
  expect(openApiDocument()).toMatchObject({
    info: {
      contact: { name: expect.any(String) },
      license: { identifier: 'Apache-2.0' },
      description: expect.any(String),
    },
  });
});

describe('examples', () => {
  const shown = operations.flatMap(({ verb, path, operation }) => {
    const bodies = [
      ['request', operation.requestBody],
      ...Object.entries(operation.responses),
    ] as const;
    return bodies.flatMap(([place, body]) => {
      if (typeof body !== 'object' || !('application/json' in body.content)) return [];
      const json = body.content['application/json'];
      const name = json?.schema.$ref.replace('#/components/schemas/', '');
      return Object.entries(json?.examples ?? {}).map(([key, example]) => ({
        title: `${verb} ${path} ${place} ${key}`,
        name,
        value: example.value,
      }));
    });
  });

  test('every request and every response has at least one', () => {
    const bodies = operations.flatMap(({ operation }) => [
      ...(operation.requestBody === undefined ? [] : [operation.requestBody]),
      ...Object.values(operation.responses),
    ]);
    for (const body of bodies) {
      const json = 'application/json' in body.content && body.content['application/json'];
      if (json) expect(Object.keys(json.examples)).not.toBeEmpty();
    }
  });

  test.each(shown)('$title fits its schema, with nothing left over', ({ name, value }) => {
    const parsed = components[name ?? '']?.safeParse(value);
    expect(parsed?.error).toBeUndefined();
    expect(parsed?.data).toMatchObject(Object(value));
  });

  test('an error example names a type of its status', () => {
    for (const { title, name, value } of shown.filter((one) => one.name === 'ErrorEnvelope')) {
      expect(title).toEndWith(ErrorEnvelope.parse(value).error.type);
      expect(name).toBe('ErrorEnvelope');
    }
  });
});

describe('paths', () => {
  test('no address fits two paths of which neither is the more specific one', () => {
    const paths = Object.keys(document.paths).map((path) => path.split('/'));
    const isParameter = (part: string | undefined) => part?.startsWith('{') ?? false;
    const areAmbiguous = (one: string[], other: string[]) => {
      if (one.length !== other.length) return false;
      const differing = one.flatMap((part, at) => (part === other[at] ? [] : [[part, other[at]]]));
      const inFirst = differing.filter(([first]) => isParameter(first)).length;
      const inSecond = differing.filter(([, second]) => isParameter(second)).length;
      return inFirst > 0 && inSecond > 0 && inFirst + inSecond === differing.length;
    };
    const found = paths.flatMap((one, at) =>
      paths.slice(at + 1).flatMap((other) => {
        return areAmbiguous(one, other) ? [`${one.join('/')} ${other.join('/')}`] : [];
      }),
    );
    expect(found).toEqual([]);
  });
});

describe('schemas', () => {
  const { schemas } = document.components;

  test('every reference resolves, and every schema is named once', () => {
    const written = JSON.stringify(openApiDocument());
    const names = [...written.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      (found) => found[1],
    );
    expect(names.filter((name) => name === undefined || !(name in schemas))).toEqual([]);
    expect(Object.keys(schemas).toSorted()).toEqual(Object.keys(components).toSorted());
    expect(written).not.toContain('"$id"');
    // Events are described for the authors of endpoints.
    expect(Object.keys(schemas).filter((name) => !names.includes(name))).toEqual(['WebhookEvent']);
  });

  test('the data of every event has a name, which generators use for its type', () => {
    const Event = z.object({ properties: z.object({ data: z.object({ $ref: z.string() }) }) });
    const { oneOf } = z.object({ oneOf: z.array(Event) }).parse(schemas['WebhookEvent']);
    expect(oneOf.length).toBeGreaterThan(0);
  });

  test('requests refuse unknown keys and require only fields without a default', () => {
    for (const [name, required, optional] of [
      [
        'SearchRequest',
        'query',
        `provider max_results mode include_domains exclude_domains published_after published_before
        freshness content locale category safe_search offset strict provider_options`,
      ],
      [
        'ExtractRequest',
        'urls',
        `provider query content include_links include_images max_age_hours timeout_ms strict
        provider_options`,
      ],
      [
        'TranscriptionRequest',
        'audio_url',
        'provider language diarize keyterms timestamps strict provider_options',
      ],
    ] as const) {
      const schema = schemas[name] ?? {};
      const properties = Object.keys(Object(schema['properties']));
      proves('surface.openapi-requests', () => {
        const fields = [required, ...optional.split(/\s+/)];
        expect(properties.toSorted()).toEqual(fields.toSorted());
        expect(schema).toMatchObject({ additionalProperties: false, required: [required] });
      });
    }
  });

  test('every list of a request has a limit, and limited entries document it', () => {
    const lists = requestLists();
    const ofPolicy = /^(?:Account|Key)(?:Change|Request)\.(?:\w+_domains|providers|tools)$/;
    const places = lists.map(({ place }) => place).filter((place) => !ofPolicy.test(place));
    expect(lists.length - places.length).toBe(16);
    expect(places.toSorted()).toEqual([
      'ExtractRequest.urls',
      'FeedbackRequest.cited',
      'FeedbackRequest.opened',
      'FeedbackRequest.rejected',
      'FusionOptions.providers',
      'OAuthClientRequest.redirect_uris',
      'SearchRequest.exclude_domains',
      'SearchRequest.include_domains',
      'TranscriptionRequest.keyterms',
      'WebhookChange.events',
      'WebhookRequest.events',
    ]);
    expect(lists.filter(({ list }) => list['maxItems'] === undefined)).toEqual([]);
    expect(schemas['FusionOptions']).toMatchObject({
      properties: {
        providers: { uniqueItems: true, minItems: 2, maxItems: searchEngineIds.length },
      },
    });
    const domains = { maxItems: 1200, items: { minLength: 1, maxLength: 2000 } };
    expect(schemas['SearchRequest']).toMatchObject({
      properties: { include_domains: domains, exclude_domains: domains },
    });
  });

  test('the default of a field is a keyword, and no field with one is required', () => {
    const faults: string[] = [];
    visit(document.components, '', ({ properties = {}, required = [], description }, place) => {
      if (/Default:/.test(String(description))) faults.push(`${place} has a default in prose`);
      for (const [name, field] of Object.entries(properties as object)) {
        const isRequired = (required as string[]).includes(name);
        if ('default' in field && isRequired) faults.push(`${place}.${name} is required`);
      }
    });
    visit(openApiDocument(), '', (schema, place) => {
      if ('const' in schema) faults.push(`${place} is a constant`);
    });
    expect(faults).toEqual([]);
    const searched = { provider: 'auto', max_results: 10, strict: false };
    for (const [name, defaults] of [
      ['SearchRequest', searched],
      ['FusionOptions', { timeout_ms: 10_000, top_k: 3 }],
      ['TranscriptionRequest', { provider: 'auto', diarize: false, timestamps: 'word' }],
    ] as const) {
      const fields = Object.entries(defaults).map(([field, value]) => [field, { default: value }]);
      expect(schemas[name]).toMatchObject({ properties: Object.fromEntries(fields) as object });
    }
  });

  test('a request is described exactly as strictly as it is read', () => {
    const { if: condition, then, ...always } = schemas['SearchRequest'] ?? {};
    const fits = (schema: unknown, value: unknown) => {
      const whole = JSON.stringify({ ...(schema as object), $defs: schemas });
      const inside = whole.replaceAll('#/components/schemas/', '#/$defs/');
      return z.fromJSONSchema(JSON.parse(inside)).safeParse(value).success;
    };
    const accepts = (value: unknown) =>
      fits(always, value) && (!fits(condition, value) || fits(then, value));
    const bad = { fusion: { timeout_ms: 1, unheard_of: true } };
    const cases = [
      { provider_options: bad },
      { provider: 'engine_a', provider_options: bad },
      { provider: 'engine_a', provider_options: { fusion: null } },
      { provider: 'fusion', provider_options: bad },
      { provider: 'fusion', provider_options: { fusion: { timeout_ms: 500 } } },
      { offset: -1 },
      { offset: 0 },
      { offset: 2 ** 31 - 1 },
      { offset: 2 ** 31 },
      { offset: 0.5 },
    ];
    for (const one of cases) {
      const request = { query: 'x', ...one };
      const { success } = SearchRequest.safeParse(request);
      expect([request, accepts(request)]).toEqual([request, success]);
    }
  });

  /** The lists that a caller sends, anywhere in the schema of a request. */
  function requestLists(): { place: string; list: Record<string, unknown> }[] {
    const found: { place: string; list: Record<string, unknown> }[] = [];
    const sent = Object.entries(schemas).filter(([name]) => /Request$|Change$|Options$/.test(name));
    for (const [name, schema] of sent) {
      visit(schema, name, (inner, place) => {
        if (inner['type'] === 'array')
          found.push({ place: place.replaceAll(inside, ''), list: inner });
      });
    }
    return found;
  }

  test('native options may contain anything', () => {
    expect(schemas['NativeOptions']).toMatchObject({ type: 'object', additionalProperties: true });
  });
});

const inside = /[.]properties|[.]anyOf[.]\d+/g;

function visit(
  value: unknown,
  place: string,
  look: (schema: Record<string, unknown>, place: string) => void,
): void {
  if (typeof value !== 'object' || value === null) return;
  look(value as Record<string, unknown>, place);
  for (const [key, inner] of Object.entries(value)) visit(inner, `${place}.${key}`, look);
}
