// What a request with native options sends, and which requests are refused before a provider is
// called. The caller's native options win: a parameter whose field in the provider's request they
// set is named in a warning, and the gateway does not apply it to the answer either.
import { GatewayError, type ProviderId, type Warning } from '@trivium/contract';
import {
  type Asks,
  isNeutral,
  negotiate,
  type Negotiated,
  type Supports,
} from '../negotiation/index.ts';
import { mergeBody, mergeQuery, type WireRequest } from '../providers/index.ts';

/** With `strict`, every warning known before the provider is called is a reason to refuse. */
export function strictRefusal(provider: ProviderId, warnings: readonly Warning[]): void {
  if (warnings.length === 0) return;
  const issues = warnings.map(({ code, param, message }) => ({ path: param ?? '', code, message }));
  throw new GatewayError(
    'invalid_request',
    `${provider} cannot honour this request exactly, and strict is set. ` +
      'Drop the listed parameters, choose another provider, or leave out strict.',
    { issues },
  );
}

/** Refuses native options that callers may not set, all of them in one error. */
export function refuseOptions(
  provider: ProviderId,
  refused: Readonly<Record<string, string>>,
  given: Readonly<Record<string, unknown>>,
): void {
  const issues = Object.keys(given).flatMap((key) => {
    const name = key.toLowerCase();
    if (!Object.hasOwn(refused, name)) return [];
    const message = `The option ${key} cannot be set here: ${refused[name]}.`;
    return [{ path: `provider_options.${provider}.${key}`, code: 'forbidden_key', message }];
  });
  if (issues.length > 0) throw badOptions(issues);
}

export function badOptions(
  issues: readonly { path: string; code: string; message: string }[],
): GatewayError {
  const sentences = issues.map(({ path, message }) => `${path}: ${message}`).join(' ');
  return new GatewayError('invalid_request', `The request is not valid. ${sentences}`, { issues });
}

/** Merges options into the body if there is one, otherwise into the query. */
export function withOptions(wire: WireRequest, options: Record<string, unknown>): WireRequest {
  if (Object.keys(options).length === 0) return wire;
  if (wire.body) return { ...wire, body: mergeBody(wire.body, options) };
  return { ...wire, query: mergeQuery(wire.query ?? {}, options) };
}

interface OptionsRequest {
  provider: ProviderId;
  supports: Supports;
  asks: Asks;
  now: Date;
  /** The value of a parameter that the caller did not send, which causes no warning. */
  defaults: Asks;
  options: Readonly<Record<string, unknown>>;
  /** True if the options say what the parameters say, so that nothing is overwritten. */
  isDerived: boolean;
  toRequests: (granted: Granted) => readonly WireRequest[];
}

type Granted = Negotiated['granted'];

/** What was negotiated for a request with options, without the parameters whose fields the native options set. */
export function yieldToOptions(negotiated: Negotiated, request: OptionsRequest): Negotiated {
  const replaced = overwrittenParams(negotiated.granted, request);
  if (replaced.size === 0) return negotiated;
  const filters = negotiated.filters.filter(({ param }) => !replaced.has(param));
  if (request.isDerived) {
    const others = negotiated.warnings.filter(({ param = '' }) => !replaced.has(param));
    return { ...negotiated, filters, warnings: others };
  }
  const granted = { ...negotiated.granted };
  const warnings = [...negotiated.warnings];
  for (const [param, option] of replaced) {
    if (param === 'max_results') granted[param] = Infinity;
    else if (param === 'content.excerpts') granted[param] = {};
    else if (limits.has(param)) delete granted[param];
    if (request.asks[param] === request.defaults[param]) continue;
    const at = warnings.findIndex((warning) => warning.param === param);
    warnings[at < 0 ? warnings.length : at] = sentInstead(request.provider, param, option);
  }
  return { granted, warnings, filters };
}

export function sentInstead(provider: ProviderId, param: string, option: string): Warning {
  const message = `The option ${option} of provider_options.${provider} was sent instead.`;
  return { code: 'param_ignored', param, message };
}

/** Parameters that the gateway would otherwise apply to the answer. */
const limits: ReadonlySet<string> = new Set([
  'offset',
  'content.snippets.max_per_result',
  'content.snippets.max_chars_per_snippet',
  'content.max_chars',
]);

/** By parameter, the option that sets its field. */
function overwrittenParams(granted: Granted, request: OptionsRequest): Map<string, string> {
  const { asks, supports, now, options, toRequests } = request;
  const requests = toRequests(granted);
  const replaced = new Map<string, string>();
  for (const param in asks) {
    if (isNeutral(param, asks[param])) continue;
    const { [param]: value, ...rest } = granted;
    const other = otherValues[param];
    if (value === undefined) {
      // It may have been written into the query.
      const { [param]: _left, ...others } = asks;
      const { query } = negotiate(supports, others, now).granted;
      if (query === undefined) continue;
      rest['query'] = query;
    } else if (other) rest[param] = other(value);
    const changedRequests = toRequests(rest);
    const option = requests
      .map((wire, at) => {
        const changed = changedRequests[at] ?? changedRequests.at(-1);
        return changed && overwritingOption(wire, changed, options, other !== undefined);
      })
      .find((name) => name !== undefined);
    if (option !== undefined) replaced.set(param, option);
  }
  return replaced;
}

/**
 * For parameters that cannot be left out, and for one whose value may be what is sent anyway. The
 * same text may be part of another field, so only the first field that changes belongs to them.
 */
const otherValues: Readonly<Record<string, (value: unknown) => unknown>> = {
  query: (value) => `${String(value)}?`,
  max_results: (value) => (value === 1 ? 2 : 1),
  'content.full_text': (value) => !value,
  safe_search: (value) => (value === 'off' ? 'strict' : 'off'),
};

function overwritingOption(
  wire: WireRequest,
  changed: WireRequest,
  options: OptionsRequest['options'],
  isOther: boolean,
): string | undefined {
  const fields = wireFields(wire);
  const paths = changedPaths(fields, wireFields(changed));
  const own = isOther
    ? paths.slice(0, 1)
    : paths.filter((path) => valueAt(fields, path) !== undefined);
  return own.find((path) => {
    const [name = ''] = path;
    if (!Object.hasOwn(options, name)) return false;
    const option = { [name]: options[name] };
    const after = (one: WireRequest) => valueAt(wireFields(withOptions(one, option)), path);
    return isSame(after(wire), after(changed));
  })?.[0];
}

type WireFields = Readonly<Record<string, unknown>>;

function wireFields({ body, query }: WireRequest): WireFields {
  return body ?? query ?? {};
}

/** The paths of the fields that differ. A missing object is one without fields. */
function changedPaths(one: WireFields, other: WireFields): string[][] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name): string[][] => {
    const [ours, theirs] = [one[name], other[name]];
    if (isSame(ours, theirs)) return [];
    const [inner, outer] = [ours ?? {}, theirs ?? {}];
    const within = isFields(inner) && isFields(outer) ? changedPaths(inner, outer) : [];
    return within.length > 0 ? within.map((path) => [name, ...path]) : [[name]];
  });
}

function valueAt(fields: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    fields,
  );
}

function isFields(value: unknown): value is WireFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
