// How one of the operator's endpoints is written into the OpenAPI document.
import type { z } from 'zod';
import type { ComponentName } from './openapi-components.ts';
import { inline, json, operation } from './openapi-operation.ts';
import type { Endpoint, ErrorStatus } from './openapi-operation.ts';

const tag = 'admin';

export interface Admin {
  id: string;
  summary: string;
  answer: ComponentName;
  shown: unknown;
  status?: 201;
  takes?: { schema: ComponentName; shown: unknown };
  failures?: readonly ErrorStatus[];
  parameters?: object[];
  /** For anybody, without a token. */
  open?: true;
}

export function write(admin: Admin): object {
  const { id, summary, answer, shown, status, takes, failures, parameters, open } = admin;
  const endpoint: Endpoint = {
    id,
    success: {
      status: status ?? 200,
      meaning: 'Done.',
      schema: answer,
      examples: { usual: { value: shown } },
    },
    failures: [...(open ? [] : ([401] as const)), 500, ...(failures ?? [])],
  };
  const body = takes && json(takes.schema, { usual: { value: takes.shown } });
  return {
    ...operation(tag, summary, endpoint),
    security: open ? [] : [{ operator: [] }],
    ...(parameters ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: body } } : {}),
  };
}

export function idParameter(schema: z.ZodType, example: string): object {
  return { name: 'id', in: 'path', required: true, schema: inline(schema), example };
}

export function queryParameters(schema: z.ZodObject): object[] {
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: 'query',
    ...((field as z.ZodType).safeParse(undefined).success ? {} : { required: true }),
    schema: inline(field as z.ZodType),
  }));
}
