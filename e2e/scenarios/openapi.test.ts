// The API description: valid, complete, and of version 1.0.0.
import { test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { sharedGateway } from '../harness.ts';
import { hasEnded, waitForJob } from '../jobs.ts';
import { expect, proves } from '../proves.ts';
import { routeTable } from '../security/route-table.ts';

type Schema = {
  $ref?: string;
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
};
type Operation = {
  responses: Record<string, unknown>;
  parameters?: { in: string; name: string }[];
  security?: Record<string, unknown>[];
  requestBody?: {
    content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
  };
};
type Description = {
  openapi: string;
  info: { version: string };
  security?: Record<string, unknown>[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: Record<string, { type: string; scheme?: string }>;
  };
};

const operatorToken = 'operator-token-of-the-description-0123';
const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: operatorToken } });

test('the description is a valid OpenAPI 3.1 document of version 1.0.0', async () => {
  const description = await read();
  const { valid, errors } = await new Validator().validate(structuredClone(description));
  proves('surface.openapi', () => {
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(description.openapi).toMatch(/^3\.1\./);
  });
  proves('versioning.description', () => expect(description.info.version).toBe('1.0.0'));
});

test('the description lists every documented status of the four endpoints', async () => {
  const description = await read();
  const documented: [method: string, path: string, statuses: string[]][] = [
    ['post', '/v1/search', ['200', '400', '401', '402', '501', '502', '503']],
    ['post', '/v1/extract', ['200', '400', '401', '402', '502', '503']],
    ['post', '/v1/transcriptions', ['202', '400', '401', '402', '404', '503']],
    ['get', '/v1/jobs/{id}', ['200', '400', '401', '402', '404', '503']],
  ];
  for (const [method, path, statuses] of documented) {
    const { responses } = operationOf(description, method, path);
    proves(
      [
        'errors.documented.search',
        'errors.documented.extract',
        'errors.documented.transcription',
        'errors.documented.jobs',
      ],
      () => expect(Object.keys(responses)).toEqual(expect.arrayContaining(statuses)),
    );
  }
});

test('a query with the id of an unknown account gets a status that the description lists', async () => {
  const operator = { authorization: `Bearer ${operatorToken}` };
  const asked: string[] = [];
  for (const [path, { get }] of Object.entries((await read()).paths)) {
    const ofAccount = get?.parameters?.some(({ in: place, name }) => {
      return place === 'query' && name === 'account_id';
    });
    if (!get || !ofAccount) continue;
    asked.push(path);
    const address = `${path.replaceAll(/\{\w+\}/g, 'unknown')}?account_id=acct_unknown`;
    const { status } = await gateway().get(address, operator);
    expect({ path, isListed: String(status) in get.responses }).toEqual({ path, isListed: true });
  }
  expect(asked).toContain('/admin/v1/attention');
});

test('the description has every route of the API, of OAuth, and no other', async () => {
  const { paths } = await read();
  const described = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
  );
  const routes = routeTable()
    .filter(({ path }) => /^\/(?:v1|admin\/v1|oauth|\.well-known)\//.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(described.toSorted()).toEqual(routes.toSorted());
});

test('the description requires the bearer key on the four endpoints', async () => {
  const description = await read();
  for (const [method, path] of operations) {
    const { security = description.security ?? [] } = operationOf(description, method, path);
    const names = security.flatMap((one) => Object.keys(one));
    const schemes = names.map((name) => description.components.securitySchemes[name]);
    proves('surface.openapi-bearer', () =>
      expect(schemes).toEqual([expect.objectContaining({ type: 'http', scheme: 'bearer' })]),
    );
  }
});

test('the description has every field of every request and allows no others', async () => {
  const description = await read();
  for (const { path, required, optional } of requests) {
    const operation = operationOf(description, 'post', path);
    const schema = resolve(description, operation.requestBody?.content['application/json']?.schema);
    const fields = Object.keys(schema.properties ?? {});
    proves('surface.openapi-requests', () => {
      expect(fields.toSorted()).toEqual([...required, ...optional].toSorted());
      expect(schema.required).toEqual(required);
      expect(schema.additionalProperties).toBe(false);
    });
  }
});

test('every example request is served, the recording included', async () => {
  const description = await read();
  const answers = await Promise.all(
    requests.map(async ({ path }) => {
      const { requestBody } = operationOf(description, 'post', path);
      const shown = requestBody?.content['application/json']?.examples ?? {};
      const [example] = Object.values(shown);
      return gateway().post(path, example?.value);
    }),
  );
  await proves('surface.openapi-examples', async () => {
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202]);
    const { id } = answers[2]?.body as { id: string };
    expect((await waitForJob(gateway(), id, hasEnded)).status).toBe('completed');
  });
});

const operations = [
  ['post', '/v1/search'],
  ['post', '/v1/extract'],
  ['post', '/v1/transcriptions'],
  ['get', '/v1/jobs/{id}'],
] as const;

const requests = [
  {
    path: '/v1/search',
    required: ['query'],
    optional:
      `provider max_results mode include_domains exclude_domains published_after published_before
      freshness content locale category safe_search offset strict provider_options`.split(/\s+/),
  },
  {
    path: '/v1/extract',
    required: ['urls'],
    optional: `provider query content include_links include_images max_age_hours timeout_ms strict
      provider_options`.split(/\s+/),
  },
  {
    path: '/v1/transcriptions',
    required: ['audio_url'],
    optional: 'provider language diarize keyterms timestamps strict provider_options'.split(' '),
  },
];

async function read(): Promise<Description> {
  const answer = await gateway().get('/openapi.json');
  expect(answer.status).toBe(200);
  return answer.body as Description;
}

function operationOf(description: Description, method: string, path: string): Operation {
  const operation = description.paths[path]?.[method];
  if (operation === undefined) throw new Error(`${method} ${path} is not described.`);
  return operation;
}

function resolve(description: Description, schema: Schema = {}): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (description.components.schemas[name] ?? {});
}
