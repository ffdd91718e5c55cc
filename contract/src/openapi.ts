// The OpenAPI 3.1 document, generated from the table of operations and the schemas that validate
// requests.
import { z } from 'zod';
import type { ErrorType } from './errors.ts';
import { account, key } from './examples/accounts.ts';
import { errors, openAiError, statusErrors } from './examples/errors.ts';
import { oauthFailures } from './examples/oauth.ts';
import { invite, person } from './examples/people.ts';
import { request } from './examples/reports.ts';
import { completedJob, upload } from './examples/tools.ts';
import { delivery, webhook } from './examples/webhooks.ts';
import { answerHeaders, paidHeaders } from './headers.ts';
import * as schemas from './index.ts';
import { operations, tags } from './operations/index.ts';
import type { ErrorStatus, Operation } from './operations/index.ts';

const apiVersion = '1.0.0';

export function openApiDocument() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trivium',
      version: apiVersion,
      description:
        `Web search, page extraction and transcription from ${schemas.providerIds.length} ` +
        'providers, with one key, one request format and one bill.',
      contact: { name: 'The operator of this gateway' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      schemas: jsonSchemas(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key that starts with sk_live_, or with sk_test_ in sandbox mode.',
        },
        operator: { type: 'http', scheme: 'bearer', description: 'The operator token.' },
      },
    },
  };
}

function paths(): Record<string, Record<string, object>> {
  const described: Record<string, Record<string, object>> = {};
  for (const [key, operation] of Object.entries<Operation>(operations)) {
    const [method = '', path = ''] = key.split(' ');
    const place = (described[path.replace(':id', '{id}')] ??= {});
    place[method.toLowerCase()] = describe(method, path, operation);
  }
  return described;
}

function describe(method: string, path: string, operation: Operation): object {
  const { id, summary, description, tag = 'admin', body, form, file, open } = operation;
  const parameters = parametersOf(path, operation);
  const content = body ? json(...body) : form && { [formType]: { schema: reference(form) } };
  const requestBody = content ? { required: true, content } : file && { required: true, ...file };
  const failures = failuresOf(method, path, operation);
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    ...(tag === 'admin' && !open ? { security: [{ operator: [] }] } : {}),
    ...(tag === 'agents' || open ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      [operation.status ?? 200]: success(operation),
      ...Object.fromEntries(failures.map((status) => [status, failure(status, operation)])),
    },
  };
}

const formType = 'application/x-www-form-urlencoded';

function success(operation: Operation): object {
  const { meaning, answer, formats = {}, paid, checked } = operation;
  const others = Object.entries(formats).map(([type, schema]) => [
    type,
    { schema: schema instanceof z.ZodType ? reference(schema) : schema },
  ]);
  const names: AnswerHeader[] = ['x-request-id'];
  if (paid) names.push('idempotent-replayed');
  if (paid === 'cache') names.push('x-trivium-cache');
  if (checked) names.push(schemas.contentSignalsHeader);
  names.push(...(operation.answerHeaders ?? []));
  return {
    description: meaning ?? 'Done.',
    headers: described(names),
    content: { ...(answer ? json(...answer) : {}), ...Object.fromEntries(others) },
  };
}

type AnswerHeader = keyof typeof answerHeaders;

function described(names: readonly AnswerHeader[]): object {
  return Object.fromEntries(
    names.map((name) => [
      name === 'retry-after' ? 'Retry-After' : name,
      { description: answerHeaders[name], schema: { type: 'string' } },
    ]),
  );
}

/** The statuses that follow from the input of an operation, and those that it lists itself. */
function failuresOf(method: string, path: string, operation: Operation): ErrorStatus[] {
  const {
    tag = 'admin',
    query,
    body,
    form,
    file,
    paid,
    keyed,
    open,
    unlimited,
    refuses = [],
  } = operation;
  const isKeyed = tag !== 'admin' && tag !== 'agents';
  const isReport = tag === 'admin' && method === 'GET' && !open && !unlimited;
  const hasId = path.includes(':id');
  const statuses: Record<ErrorStatus, unknown> = {
    400: query ?? body ?? form ?? file ?? keyed ?? (hasId && isKeyed),
    401: tag !== 'agents' && !open,
    402: paid,
    403: false,
    404: hasId,
    409: paid ?? keyed,
    413: body ?? form ?? file,
    429: isKeyed || isReport,
    500: true,
    501: false,
    502: false,
    503: Boolean(paid) || keyed === 'money' || isReport,
  };
  const all = Object.keys(statuses).map(Number) as ErrorStatus[];
  return all.filter((status) => statuses[status] || refuses.includes(status));
}

/** The error types that each status can have. */
export const documentedErrors = {
  400: ['invalid_request'],
  401: ['unauthorized'],
  402: ['insufficient_credits'],
  403: ['unauthorized'],
  404: ['not_found'],
  409: ['invalid_request'],
  413: ['invalid_request'],
  429: ['rate_limited'],
  500: ['internal_error'],
  501: ['provider_not_available'],
  502: ['provider_error'],
  503: ['provider_not_configured', 'provider_not_available'],
} as const satisfies Record<ErrorStatus, readonly ErrorType[]>;

const errorMeanings: Record<ErrorStatus, string> = {
  400: 'The request is not valid, or strict is set and it cannot be honoured exactly.',
  401: 'The API key is missing or not valid.',
  402: 'The balance, or x-max-cost-usd, does not cover what the request can cost.',
  403: 'Only the dashboard may make this request.',
  404: 'There is no such job, upload, account or key.',
  409: 'The Idempotency-Key was used with a different body, or its first request is still running.',
  413: 'The body is larger than the limit: 1 MiB, or the limit for uploads.',
  429: 'Too many requests with this key, or too many uploads at once; retry after Retry-After.',
  500: 'The gateway failed.',
  501: 'The provider is disabled on this deployment.',
  502: 'The provider failed or did not answer in time.',
  503: 'The provider is not configured or not available, or jobs cannot be accepted at the moment.',
};

/** Programs read OAuth errors; only the page on which a person decides reads ours. */
const oauthMeanings: Partial<Record<ErrorStatus, string>> = {
  400: 'The request cannot be granted; error names the kind.',
  401: 'The application is not registered here.',
  413: 'The body is larger than 64 KiB.',
  429: 'This access is refreshed too often; retry after Retry-After.',
  500: 'The gateway failed.',
};

function failure(status: ErrorStatus, { errors: format }: Operation): object {
  const headers = described(status === 429 ? ['x-request-id', 'retry-after'] : ['x-request-id']);
  const isOAuth = format === 'oauth';
  const description = (isOAuth && oauthMeanings[status]) || errorMeanings[status];
  if (format === 'openai') {
    const content = json(schemas.OpenAiError, { error: openAiError });
    return { description, headers, content };
  }
  if (isOAuth) {
    const content = json(schemas.OAuthFailure, { failure: oauthFailures[status] });
    return { description, headers, content };
  }
  const shown = documentedErrors[status].map((type) => [
    type,
    statusErrors[status] ?? errors[type],
  ]);
  return {
    description,
    headers,
    content: json(schemas.ErrorEnvelope, Object.fromEntries(shown) as object),
  };
}

type Parameter = {
  name: string;
  in: string;
  description?: unknown;
  schema: object;
  example?: string;
};

function parametersOf(path: string, { tag, query, paid, keyed, checked }: Operation): Parameter[] {
  const [collection, rest] = path.split('/:id');
  const one = rest === undefined ? undefined : ids[collection ?? ''];
  return [
    ...(one ? [{ name: 'id', in: 'path', required: true, ...one }] : []),
    ...Object.entries(query?.shape ?? {}).map(([name, field]) => ({
      name,
      in: 'query',
      ...((field as z.ZodType).safeParse(undefined).success ? {} : { required: true }),
      ...describedSchema(field as z.ZodType),
    })),
    ...(keyed ? [{ ...idempotencyKey, description: keyMeanings[keyed] }] : []),
    ...(paid ? paidParameters(tag) : []),
    ...(checked ? [jobContentParameter] : []),
  ];
}

/** The description of a parameter belongs next to its schema. */
function describedSchema(field: z.ZodType): { description: unknown; schema: object } {
  const { description, ...schema } = inline(field);
  return { description, schema };
}

/** What `:id` is, by the path before it. */
const ids: Record<string, { description: string; schema: object; example: string }> = {
  '/v1/jobs': named('The id of the job.', schemas.JobId, completedJob.id),
  '/v1/uploads': named('The id of the upload.', schemas.UploadId, upload.id),
  '/admin/v1/accounts': named('The account.', schemas.AccountId, account.id),
  '/admin/v1/keys': named('The API key.', schemas.KeyId, key.id),
  '/admin/v1/requests': named(
    'The id of the request.',
    schemas.RequestQuery.shape.id.unwrap(),
    request.id,
  ),
  '/admin/v1/people': named('The person.', schemas.Person.shape.id, person.id),
  '/admin/v1/profile/sessions': named(
    'The session.',
    schemas.SessionLine.shape.id,
    'auth_019a84c25b7e7c319d426f0e8a1b2c52',
  ),
  '/admin/v1/invites': named('The invitation.', schemas.Invite.shape.id, invite.id),
  '/admin/v1/providers': named('The provider.', schemas.ProviderId, 'engine_a'),
  '/admin/v1/webhooks': named('The endpoint.', schemas.WebhookId, webhook.id),
  '/admin/v1/webhooks/deliveries': named('The delivery.', schemas.DeliveryId, delivery.id),
};

function named(description: string, schema: z.ZodType, example: string) {
  return { description, schema: inline(schema), example };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: inline(schemas.IdempotencyKey),
};

const keyMeanings = {
  money:
    'A repeated request with the same key and body moves money only once. The same key with ' +
    'another body or path gets a 409.',
  change:
    'For 24 hours, a repeated request with the same key and body has no further effect and ' +
    'gets the same response, with Idempotent-Replayed: true.',
};

/** A paid operation has the tag of its tool. */
function paidParameters(tag: Operation['tag']): Parameter[] {
  const headers: [string, PaidHeader][] = Object.entries(paidHeaders);
  return headers
    .filter(([, { tools }]) => tools.some((tool) => tool === tag))
    .map(([name, header]) => headerParameter(name, header));
}

type PaidHeader = Pick<Parameter, 'description'> & {
  schema: z.ZodType;
  tools: readonly string[];
  example?: string;
};

function headerParameter(name: string, { description, schema, example }: PaidHeader): Parameter {
  const shown = name === 'idempotency-key' ? idempotencyKey.name : name;
  return {
    ...{ name: shown, in: 'header', description, schema: inline(schema) },
    ...(example === undefined ? {} : { example }),
  };
}

const jobContentParameter = headerParameter('x-trivium-content', {
  ...paidHeaders['x-trivium-content'],
  description:
    'Checks the transcript for suspicious content; the header x-trivium-content-signals lists ' +
    'what was found. clean removes content that is hidden or can leak data, block removes the ' +
    'transcript. If the policy is stricter, the policy applies.',
});

function json(schema: z.ZodType, shown: object): object {
  const values = Object.entries(shown).map(([name, value]) => [name, { value }]);
  const example = Object.fromEntries(values) as object;
  return { 'application/json': { schema: reference(schema), examples: example } };
}

function reference(schema: z.ZodType): object {
  const found = Object.entries(schemas).find(([, one]) => one === schema);
  if (!found) throw new Error('The schema of a body has no name in index.ts.');
  return { $ref: `#/components/schemas/${found[0]}` };
}

type JsonSchema = Record<string, unknown>;

function inline(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

/** Schemas inside others that have their own name, so that clients have a type for them. */
const innerSchemas = [
  ...['FusionOptions', 'SearchResult', 'ExtractResult', 'ExtractFailure', 'NativeOptions'],
  ...['SearchEngineId', 'ExtractEngineId', 'TranscriberId', 'ProviderId', 'Warning', 'Usage'],
  ...['Transcript', 'TranscriptionUsage', 'Word', 'JobError', 'JobSummary', 'JobLine', 'JobStep'],
  'EarlyEnd',
  ...['ProviderDescription', 'ProviderHealth', 'ProviderRefusal', 'ProviderOverlap', 'AutoOrder'],
  ...['ToolDescription', 'RequestAttempt', 'RequestCostPart', 'UsageLine', 'AuditActor'],
  ...['ScorecardLine', 'MeasuredQuality', 'QualityWeek', 'QualityChange'],
  ...['SessionLine', 'SettingLine'],
  // Events are described for the authors of endpoints.
  ...['WebhookEvent', 'BalanceLow', 'CapReached', 'BudgetReached', 'KeyFacts', 'ProviderChange'],
  'UnusableDuration',
  'WebhookTest',
];

/** The named schemas: those of bodies, and those inside them that have a name. */
export function namedSchemas(): Record<string, z.ZodType> {
  const bodies = Object.values<Operation>(operations).flatMap(({ body, form, answer, formats }) => [
    ...[body?.[0], form, answer?.[0], ...Object.values(formats ?? {})],
  ]);
  const used = new Set<unknown>([
    ...bodies,
    ...[schemas.ErrorEnvelope, schemas.OpenAiError, schemas.OAuthFailure],
  ]);
  const entries = Object.entries(schemas).filter(
    ([name, schema]) => used.has(schema) || innerSchemas.includes(name),
  );
  return Object.fromEntries(entries) as Record<string, z.ZodType>;
}

/**
 * Generated as input schemas: fields with a default are optional, and responses may gain fields.
 */
function jsonSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(namedSchemas())) registry.add(schema, { id });
  const { schemas: written } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  return Object.fromEntries(Object.entries(written).map(([id, one]) => [id, withoutIds(one)]));
}

/** Removes constraints that zod adds and that mean nothing to a reader of the document. */
function simplify(schema: JsonSchema): void {
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['format'] === 'date-time') delete schema['pattern'];
  // The defaults of its fields say the same.
  if (JSON.stringify(schema['default']) === '{}') delete schema['default'];
  // Client generators support an enum of one value better than a constant.
  if ('const' in schema) {
    schema['enum'] = [schema['const']];
    delete schema['const'];
  }
}

/** A component is identified by its place in the document, so it needs no `$id`. */
function withoutIds(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _name, ...rest } = schema;
  return rest;
}
