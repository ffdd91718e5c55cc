// Validates a response against the OpenAPI document: a documented status and a body of its schema.
import { z } from 'zod';
import type { Answer } from './http-client.ts';
import type { Schema } from './fuzz-values.ts';

export type Document = {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, Schema> };
};

/** Statuses that every operation may return; no 5xx is among them. */
const alwaysAllowed = new Set([400, 401, 404, 405, 408, 413, 429]);

type Documented = { responses: Readonly<Record<string, unknown>> };

/** Returns the fault, or undefined. */
export function makeValidator(document: Document) {
  const known = new Map<unknown, z.ZodType>();
  const validatorOf = (schema: Schema): z.ZodType => {
    const found = known.get(schema);
    if (found) return found;
    const whole = { ...inlineRefs(schema), $defs: inlineRefs(document.components.schemas) };
    const made = z.fromJSONSchema(whole);
    known.set(schema, made);
    return made;
  };
  return ({ responses }: Documented, answer: Answer): string | undefined => {
    const documented = responses[String(answer.status)] ?? undefined;
    if (!documented && !alwaysAllowed.has(answer.status)) {
      return `status ${answer.status} is not documented: ${answer.text.slice(0, 300)}`;
    }
    if (answer.status === 500) return `an internal error: ${answer.text.slice(0, 300)}`;
    if (!answer.headers.has('x-request-id')) return `no x-request-id on a ${answer.status}`;
    const { content } = (documented ?? {}) as { content?: Record<string, { schema?: Schema }> };
    const schema = content?.['application/json']?.schema;
    if (!schema) return undefined;
    const type = answer.headers.get('content-type');
    if (!/^application\/json\b/.test(type ?? '')) return `a ${answer.status} of type ${type}`;
    const parsed = validatorOf(schema).safeParse(answer.body);
    return parsed.success
      ? undefined
      : `a ${answer.status} breaks its schema: ${z.prettifyError(parsed.error).slice(0, 500)}`;
  };
}

/** Moves the schemas of the document's components to $defs, as a standalone schema needs. */
function inlineRefs<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/')) as T;
}
