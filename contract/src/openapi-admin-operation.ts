// Builds one operation of the operator's API for the OpenAPI document.
import type { z } from 'zod';
import type { ComponentName } from './openapi-components.ts';
import { inline, json, operation } from './openapi-operation.ts';
import type { Endpoint, ErrorStatus } from './openapi-operation.ts';

const tag = 'admin';

/** Of reports and lists: an account reads too many at once, or the gateway does. */
export const busy: readonly ErrorStatus[] = [429, 503];

export interface AdminEndpoint {
  id: string;
  summary: string;
  description: string;
  response: ComponentName;
  example: unknown;
  status?: 201;
  request?: { schema: ComponentName; example: unknown };
  failures?: readonly ErrorStatus[];
  parameters?: object[];
  /** The response as JSON lines, for callers that accept application/x-ndjson. */
  lines?: ComponentName;
  /** Needs no token. */
  open?: true;
}

export function adminOperation(admin: AdminEndpoint): object {
  const { id, summary, description, response, example, status } = admin;
  const { request, failures, parameters, open, lines } = admin;
  const endpoint: Endpoint = {
    id,
    description,
    success: {
      status: status ?? 200,
      meaning: 'Done.',
      schema: response,
      examples: { usual: { value: example } },
      ...(lines ? { lines } : {}),
    },
    failures: [...(open ? [] : ([401] as const)), 500, ...(failures ?? [])],
  };
  const body = request && json(request.schema, { usual: { value: request.example } });
  return {
    ...operation(tag, summary, endpoint),
    security: open ? [] : [{ operator: [] }],
    ...(parameters ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: body } } : {}),
  };
}

export function idParameter(schema: z.ZodType, example: string, description: string): object {
  return { name: 'id', in: 'path', required: true, description, schema: inline(schema), example };
}

export function queryParameters(schema: z.ZodObject): object[] {
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: 'query',
    ...((field as z.ZodType).safeParse(undefined).success ? {} : { required: true }),
    ...describedParameter(inline(field as z.ZodType)),
  }));
}

/** The description of a parameter belongs beside its schema. */
function describedParameter({ description, ...schema }: Record<string, unknown>): object {
  return { description, schema };
}
