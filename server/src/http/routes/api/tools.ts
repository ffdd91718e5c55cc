// POST /v1/search, /v1/extract and /v1/transcriptions, GET /v1/jobs/{id} and its raw document, and
// the callbacks of speech providers.
import {
  ExtractRequest,
  GatewayError,
  JobId,
  SearchRequest,
  TranscriberId,
  strictestMode,
  transcriptionRequestAllowing,
  webhookUrlAllowing,
} from '@trivium/contract';
import { z } from 'zod';
import { makeExtractTool } from '../../../extract/index.ts';
import { type SearchContext, explainHeader, makeSearchTool } from '../../../search/index.ts';
import {
  type JobContext,
  type RawAnswer,
  makeTranscriptionTool,
  readJob,
  readRawDocument,
  receiveCallback,
} from '../../../transcription/index.ts';
import { uploadAt } from '../../../uploads/index.ts';
import type { HttpContext, PaidTools } from '../../context.ts';
import { jsonText, validate } from '../../middleware/body.ts';
import type { Incoming, Route } from '../../route.ts';
import {
  type PaidTool,
  headersOf,
  readContentMode,
  readPaidHeaders,
  servePaid,
} from '../../serve-paid.ts';
import { callerRoute, publicRoute } from '../rows.ts';

/** `sandboxHosts` are allowed in `audio_url` although they are private. */
export function makePaidTools(
  context: SearchContext,
  jobs: JobContext,
  sandboxHosts: readonly string[] = [],
): PaidTools {
  const isUpload = (url: string) => uploadAt(jobs.secret, url) !== undefined;
  const { request_defaults: defaults, allow_private_webhooks } = context.settings;
  const ofPages = <Name extends 'search' | 'extract'>(name: Name) => ({
    ...{ name, path: `/v1/${name}`, context, headers: headersOf(name) },
    cacheSeconds: context.settings[`cache_seconds_${name}`],
  });
  const audio = transcriptionRequestAllowing(sandboxHosts, isUpload);
  return {
    search: {
      ...ofPages('search'),
      schema: withDefaults(SearchRequest, defaults.search),
      ...makeSearchTool(context),
    },
    extract: {
      ...ofPages('extract'),
      schema: withDefaults(ExtractRequest, defaults.extract),
      ...makeExtractTool(context),
    },
    transcription: {
      ...{ name: 'transcription', path: '/v1/transcriptions', context: jobs },
      schema: withDefaults(audio, defaults.transcription),
      headers: headersOf('transcription', webhookUrlAllowing(allow_private_webhooks)),
      ...makeTranscriptionTool(jobs),
    },
  };
}

/** A parameter in the request replaces the default as a whole. */
export function withDefaults<T>(
  schema: z.ZodType<T>,
  defaults: Readonly<Record<string, unknown>> | undefined,
): z.ZodType<T> {
  if (defaults === undefined) return schema;
  const { freshness: _freshness, ...undated } = defaults;
  return z.preprocess((body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    // The two exclude each other, and the caller's dates take precedence.
    const isDated = 'published_after' in body || 'published_before' in body;
    return { ...(isDated ? undated : defaults), ...body };
  }, schema);
}

export function toolRoutes({ jobs, tools }: HttpContext): Route[] {
  const type = { 'content-type': 'application/json' };
  return [
    paidRoute(tools.search),
    paidRoute(tools.extract),
    paidRoute(tools.transcription),
    callerRoute('GET', '/v1/jobs/:id', {}, async ({ request, params, caller }) => {
      const id = validate(JobId, params['id']);
      const mode = strictestMode(readContentMode(request.headers), caller.policy?.content);
      const { body, headers } = await readJob(jobs, caller, id, mode);
      return new Response(body, { headers: { ...type, ...headers } });
    }),
    callerRoute('GET', '/v1/jobs/:id/raw', {}, async ({ params, caller }) => {
      const id = validate(JobId, params['id']);
      const { body, notes } = await readRawDocument(jobs, caller, id);
      return new Response(body, { headers: { ...type, ...noteHeaders(notes) } });
    }),
    ...['/callbacks/:provider', '/callbacks/:provider/:attempt'].map((path) =>
      publicRoute('POST', path, {}, (incoming) => takeCallback(jobs, incoming)),
    ),
  ];
}

/** Sent as headers, because the document stays as received. */
function noteHeaders({ unread_words, ends_early }: RawAnswer['notes']): Record<string, string> {
  const { heard_seconds: heard, duration_seconds: whole } = ends_early ?? {};
  return {
    ...(unread_words === undefined ? {} : { 'x-trivium-unread-words': String(unread_words) }),
    ...(ends_early ? { 'x-trivium-ends-early': `${heard} of ${whole} s` } : {}),
  };
}

function paidRoute<T>(tool: PaidTool<T>): Route {
  return callerRoute('POST', tool.path, {}, ({ request, request_id, caller }) => {
    const headers = readPaidHeaders(request.headers);
    const explain = headers[explainHeader] === '1';
    return servePaid(tool, caller, {
      ...{ request_id, body: request, headers, signal: request.signal },
      ...(explain ? { wants: { explain } } : {}),
    }).then((served) => jsonText(served.text, served.status, served.headers, caller.account_id));
  });
}

/** A speech provider that cannot prove its identity gets a 404. */
async function takeCallback(jobs: JobContext, { request, params }: Incoming): Promise<Response> {
  const provider = TranscriberId.safeParse(params['provider']).data;
  if (!provider) throw new GatewayError('not_found', 'There are no callbacks at this address.');
  const { headers, body } = request;
  const token = params['attempt'];
  const signed = token === undefined ? {} : { token };
  await receiveCallback(jobs, { provider, headers, body, ...signed });
  return jsonText('{"status":"received"}');
}
