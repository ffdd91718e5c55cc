// What Exa refuses although each field is valid: fields that exclude each other, and features that
// must be enabled for an account.
import type { Reply } from '../vendor.ts';
import { liteFields } from './exa-wire.ts';
import type { ContentsOptions, SearchBody } from './exa-wire.ts';

export function refused(
  id: string,
  error: string,
  tag = 'INVALID_REQUEST_BODY',
  status = 400,
): Reply {
  return { status, body: { requestId: id, error, tag } };
}

const maxResults = 100;
const linkedin = /^(?:https?:\/\/)?(?:\*\.|[a-z0-9-]+\.)?linkedin\.com(?:\/|$)/i;

export function checkSearch(body: SearchBody, id: string): Reply | undefined {
  const { numResults, type, category } = body;
  if (numResults && numResults > maxResults) {
    return refused(id, 'numResults must be at most 100', 'NUM_RESULTS_EXCEEDED');
  }
  if (typeof numResults === 'number' && numResults < 1) {
    return refused(id, 'numResults must be at least 1', 'INVALID_NUM_RESULTS');
  }
  if (category === 'company' || category === 'people') {
    const barred = (['startPublishedDate', 'endPublishedDate', 'excludeDomains'] as const).find(
      (field) => body[field] !== null && body[field] !== undefined,
    );
    if (barred) return refused(id, `${barred} is not supported with category ${category}`);
  }
  if (category === 'people' && body.includeDomains?.some((site) => !linkedin.test(site)) === true) {
    return refused(id, 'includeDomains takes LinkedIn addresses alone with category people');
  }
  if (body.additionalQueries && type?.startsWith('deep') !== true) {
    return refused(id, 'additionalQueries needs a deep search type');
  }
  if (type === 'lite') {
    const extra = [
      ...givenFields(body),
      ...givenFields(body.contents ?? {}).map((field) => `contents.${field}`),
    ].find((field) => !liteFields.has(field));
    if (extra !== undefined) return refused(id, `${extra} is not supported with type lite`);
  }
  return checkExtras(body, body.contents ?? {}, id);
}

/** Paid extras that the sandbox does not simulate are off, as for an account without them. */
export function checkExtras(
  body: { stream?: unknown; outputSchema?: unknown },
  options: { summary?: unknown; subpages?: number | null | undefined },
  id: string,
): Reply | undefined {
  const withSchema = (options.summary as { schema?: unknown } | null | undefined)?.schema;
  const asked = {
    stream: body.stream,
    outputSchema: body.outputSchema,
    'summary.schema': withSchema,
  };
  const feature = Object.entries({ ...asked, subpages: options.subpages }).find(
    ([, on]) => on,
  )?.[0];
  if (feature === undefined) return undefined;
  return refused(id, `${feature} is not enabled for this account`, 'FEATURE_DISABLED', 403);
}

function givenFields(fields: object): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([field]) => field);
}

/** A preview feature, only for callers who opt in with a header. */
export function checkHighlights(
  options: ContentsOptions | null | undefined,
  headers: Headers,
  id: string,
): Reply | undefined {
  const wish = options?.highlights;
  if (typeof wish !== 'object' || wish === null || !(wish.dynamic || wish.verbosity)) {
    return undefined;
  }
  const betas = (headers.get('exa-beta') ?? '').split(',').map((beta) => beta.trim());
  if (!betas.includes(dynamicHighlights)) {
    return refused(id, `highlights.dynamic needs the header Exa-Beta: ${dynamicHighlights}`);
  }
  if (!wish.dynamic || !wish.maxCharacters) return undefined;
  return refused(id, 'highlights.dynamic and highlights.maxCharacters exclude each other');
}

const dynamicHighlights = 'dynamic-highlights-2026-08-28';
