// How the caller's native options are merged into a submission to a speech vendor.
import { mergeBody, mergeQuery } from '../../negotiation/index.ts';
import type { Attempt, TranscribeProduct } from './transcribe-product.ts';
import type { WireRequest } from './wire-request.ts';

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
