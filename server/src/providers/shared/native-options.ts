// Merges a caller's native options into an outgoing request: objects are merged deeply, everything
// else is replaced.
import type { Attempt, TranscribeProduct } from './transcribe-product.ts';
import type { Query, Value, WireRequest } from './wire-request.ts';

/**
 * The submission of an attempt with the caller's native options, which take precedence over ours.
 */
export function submissionOf(
  product: Pick<TranscribeProduct, 'toSubmit' | 'options_go_to' | 'query_options'>,
  attempt: Attempt,
): WireRequest {
  const wire = product.toSubmit(attempt);
  const { options } = attempt;
  switch (product.options_go_to) {
    case 'body':
      return { ...wire, body: mergeBody(wire.body ?? {}, options) };
    case 'query':
      return { ...wire, query: mergeQuery(wire.query ?? {}, options) };
    case 'form': {
      const inQuery = product.query_options ?? [];
      return {
        ...wire,
        form: mergeQuery(wire.form ?? {}, inForm(without(options, inQuery))),
        query: mergeQuery(wire.query ?? {}, only(options, inQuery)),
      };
    }
  }
}

/** The options of a submission as the vendor reads them. Undefined values are not sent. */
export function optionsSent(
  product: Pick<TranscribeProduct, 'toSubmit' | 'options_go_to' | 'query_options'>,
  attempt: Attempt,
): Record<string, unknown> {
  const wire = submissionOf(product, attempt);
  const fields = {
    ...(product.options_go_to === 'form' ? wire.query : {}),
    ...wire[product.options_go_to],
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A list of objects is one field. Only a list of texts or numbers repeats its field. */
function inForm(options: Options): Record<string, unknown> {
  const fields = Object.entries(options).map(([name, value]) => {
    const hasObjects = Array.isArray(value) && value.some((one) => typeof one === 'object');
    return [name, hasObjects ? JSON.stringify(value) : value];
  });
  return Object.fromEntries(fields) as Record<string, unknown>;
}

type Options = Readonly<Record<string, unknown>>;

function only(options: Options, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)));
}

function without(options: Options, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
}

type Json = Record<string, unknown>;

/** In a JSON body, null is sent as null. */
export function mergeBody(body: Json, options: Json): Json {
  const merged: Json = { ...body };
  for (const key of Object.keys(options)) {
    const ours = merged[key];
    const given = options[key];
    merged[key] = isPlain(ours) && isPlain(given) ? mergeBody(ours, given) : given;
  }
  return merged;
}

/** In a query string, null removes the parameter, and an object is written as JSON. */
export function mergeQuery(query: Query, options: Json): Query {
  const merged: Query = { ...query };
  for (const key of Object.keys(options)) {
    const value = options[key];
    if (value === null || value === undefined) merged[key] = undefined;
    else if (Array.isArray(value)) merged[key] = value.map(inQuery);
    else merged[key] = inQuery(value);
  }
  return merged;
}

function inQuery(value: unknown): Value {
  return typeof value === 'object' ? JSON.stringify(value) : (value as Value);
}

function isPlain(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
