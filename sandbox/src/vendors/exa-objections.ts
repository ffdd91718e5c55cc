// What Exa refuses although each field is well formed: fields that do not go together, and features
// that an account has to be given.
import type { Reply } from '../vendor.ts';
import { LITE_FIELDS } from './exa-wire.ts';
import type { ContentsWishes, SearchBody } from './exa-wire.ts';

export function object(
  id: string,
  error: string,
  tag = 'INVALID_REQUEST_BODY',
  status = 400,
): Reply {
  return { status, body: { requestId: id, error, tag } };
}

const MAX_RESULTS = 100;
const LINKEDIN = /^(?:https?:\/\/)?(?:\*\.|[a-z0-9-]+\.)?linkedin\.com(?:\/|$)/i;

export function objectToSearch(body: SearchBody, id: string): Reply | undefined {
  const { numResults, type, category } = body;
  if (numResults && numResults > MAX_RESULTS) {
    return object(id, 'numResults must be at most 100', 'NUM_RESULTS_EXCEEDED');
  }
  if (typeof numResults === 'number' && numResults < 1) {
    return object(id, 'numResults must be at least 1', 'INVALID_NUM_RESULTS');
  }
  if (category === 'company' || category === 'people') {
    const barred = (['startPublishedDate', 'endPublishedDate', 'excludeDomains'] as const).find(
      (field) => body[field] !== null && body[field] !== undefined,
    );
    if (barred) return object(id, `${barred} is not supported with category ${category}`);
  }
  if (category === 'people' && body.includeDomains?.some((site) => !LINKEDIN.test(site)) === true) {
    return object(id, 'includeDomains takes LinkedIn addresses alone with category people');
  }
  if (body.additionalQueries && type?.startsWith('deep') !== true) {
    return object(id, 'additionalQueries needs a deep search type');
  }
  if (type === 'lite') {
    const extra = [
      ...givenFields(body),
      ...givenFields(body.contents ?? {}).map((field) => `contents.${field}`),
    ].find((field) => !LITE_FIELDS.has(field));
    if (extra !== undefined) return object(id, `${extra} is not supported with type lite`);
  }
  return objectToExtras(body, body.contents ?? {}, id);
}

/** Paid extras that this sandbox does not play are off, as they are for an account without them. */
export function objectToExtras(
  body: { stream?: unknown; outputSchema?: unknown },
  wishes: { summary?: unknown; subpages?: number | null | undefined },
  id: string,
): Reply | undefined {
  const withSchema = (wishes.summary as { schema?: unknown } | null | undefined)?.schema;
  const asked = {
    stream: body.stream,
    outputSchema: body.outputSchema,
    'summary.schema': withSchema,
  };
  const feature = Object.entries({ ...asked, subpages: wishes.subpages }).find(([, on]) => on)?.[0];
  if (feature === undefined) return undefined;
  return object(id, `${feature} is not enabled for this account`, 'FEATURE_DISABLED', 403);
}

function givenFields(fields: object): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([field]) => field);
}

/** A preview feature, for callers who say that they know it is one. */
export function objectToHighlights(
  wishes: ContentsWishes | null | undefined,
  headers: Headers,
  id: string,
): Reply | undefined {
  const wish = wishes?.highlights;
  if (typeof wish !== 'object' || wish === null || !(wish.dynamic || wish.verbosity)) {
    return undefined;
  }
  const betas = (headers.get('exa-beta') ?? '').split(',').map((beta) => beta.trim());
  if (!betas.includes(DYNAMIC_HIGHLIGHTS)) {
    return object(id, `highlights.dynamic needs the header Exa-Beta: ${DYNAMIC_HIGHLIGHTS}`);
  }
  if (!wish.dynamic || !wish.maxCharacters) return undefined;
  return object(id, 'highlights.dynamic and highlights.maxCharacters exclude each other');
}

const DYNAMIC_HIGHLIGHTS = 'dynamic-highlights-2026-08-28';
