// POST /v1/audio/transcriptions and GET /v1/models in OpenAI's shape. The file becomes an upload
// and the request a job, accepted, paid and logged like any other; the response waits for it.
import { GatewayError, IdempotencyKey, Job } from '@trivium/contract';
import type { TranscriptionAccepted, Warning } from '@trivium/contract';
import { z } from 'zod';
import type { Caller } from '../../../billing/request-context.ts';
import type { JobContext } from '../../../transcription/job-context.ts';
import { readJob } from '../../../transcription/read-job.ts';
import { makeWaitForEnd } from '../../../transcription/wait-for-end.ts';
import type { WaitForEnd } from '../../../transcription/wait-for-end.ts';
import { requestUploadLifeMs } from '../../../uploads/core/upload.ts';
import { describeUpload, removeUpload } from '../../../uploads/read-upload.ts';
import type { Dispatch } from '../../dispatch.ts';
import { validate } from '../../middleware/body.ts';
import { compareAs } from '../../middleware/compared-as.ts';
import { receiveUpload } from '../../middleware/upload-body.ts';
import type { Incoming, Route } from '../../route.ts';
import { readOptions, refuseAdjustments, warningHeaders } from '../compat/headers.ts';
import { formatTranscript } from './answer.ts';
import { modelNames, readFields } from './request.ts';
import type { AskedTranscription, FieldFault } from './request.ts';

export function openAiRoutes(jobs: JobContext, dispatch: Dispatch): Route[] {
  const waits: Waits = { forEnd: makeWaitForEnd(jobs), ofKeys: new Map() };
  return [
    {
      method: 'POST',
      path: '/v1/audio/transcriptions',
      // It waits for a job, which may take minutes.
      dispatches: true,
      handle: (incoming) => waitInTurn(jobs, dispatch, waits, incoming),
    },
    { method: 'GET', path: '/v1/models', handle: () => Response.json(listModels(jobs)) },
  ];
}

type CallerRequest = Incoming & { caller: Caller };

interface Waits {
  forEnd: WaitForEnd;
  /** How many requests with an idempotency key are in progress, by API key and key. */
  ofKeys: Map<string, number>;
}

/** A client that repeats a request has rarely more than two in progress. */
const maxWaitingOfKey = 8;

/** Checked before the file is read: each request with the same key brings it again. */
async function waitInTurn(
  jobs: JobContext,
  dispatch: Dispatch,
  waits: Waits,
  incoming: CallerRequest,
): Promise<Response> {
  const key = readKey(incoming.request.headers);
  if (key === undefined) return transcribeFile(jobs, dispatch, waits, incoming);
  const name = `${incoming.caller.key_id} ${key}`;
  const waiting = waits.ofKeys.get(name) ?? 0;
  if (waiting >= maxWaitingOfKey) throw tooManyWaiting();
  waits.ofKeys.set(name, waiting + 1);
  try {
    return await transcribeFile(jobs, dispatch, waits, incoming);
  } finally {
    const left = (waits.ofKeys.get(name) ?? 1) - 1;
    if (left > 0) waits.ofKeys.set(name, left);
    else waits.ofKeys.delete(name);
  }
}

function tooManyWaiting(): GatewayError {
  return new GatewayError(
    'rate_limited',
    `${maxWaitingOfKey} requests with this Idempotency-Key are in progress. Wait for one of them.`,
    undefined,
    { headers: { 'retry-after': '5' } },
  );
}

async function transcribeFile(
  jobs: JobContext,
  dispatch: Dispatch,
  waits: Waits,
  incoming: CallerRequest,
): Promise<Response> {
  const { request, caller } = incoming;
  const { uploads } = jobs;
  const { strict } = readOptions(request.headers);
  const isRepeatable = readKey(request.headers) !== undefined;
  const { upload, fields, digest } = await receiveUpload(uploads, caller, request, {
    takes: 'form',
    lifeMs: requestUploadLifeMs,
    withDigest: isRepeatable,
  });
  let belongsToJob = false;
  try {
    const asked = readFields(fields);
    if ('param' in asked) throw faulty(asked);
    if (strict) refuseAdjustments(asked.warnings);
    const { audio_url } = describeUpload(uploads, upload);
    const body = { ...asked.request, audio_url, strict };
    const apiRequest = toApiRequest(request, body);
    if (digest !== undefined)
      compareAs(apiRequest, { file: digest, fields: sorted(fields), strict });
    const response = await dispatch(apiRequest, incoming.request_id);
    // The errors of the API are translated with all others of this path.
    if (!response.ok) return withoutRetries(response);
    // A repeated request gets the job of the first one, which has the file already.
    const isRepeated = response.headers.has(replayedHeader);
    if (isRepeated) await forget(uploads, caller, upload.id);
    belongsToJob = true;
    const accepted = (await response.json()) as TranscriptionAccepted;
    return await answerWhenEnded(jobs, waits, incoming, { accepted, isRepeated }, asked);
  } finally {
    if (!belongsToJob) await forget(uploads, caller, upload.id);
  }
}

const replayedHeader = 'idempotent-replayed';
const KeyHeader = z.object({ 'idempotency-key': IdempotencyKey.optional() });

/** Checked before the file is read, which may be long. */
function readKey(headers: Headers): string | undefined {
  const name = 'idempotency-key';
  return validate(KeyHeader, { [name]: headers.get(name) ?? undefined })[name];
}

type Fields = readonly (readonly [name: string, value: string])[];

/** The order of different fields has no meaning; that of a list has. */
function sorted(fields: Fields): Fields {
  return fields.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
}

/** The sweep finds what this one misses. */
async function forget(uploads: JobContext['uploads'], caller: Caller, id: string): Promise<void> {
  await removeUpload(uploads, caller, id).catch(() => undefined);
}

/** OpenAI's clients repeat every 409, with the whole file; only waiting for the first one helps. */
function withoutRetries(response: Response): Response {
  const isFinal = response.status === 409 && !response.headers.has('retry-after');
  if (isFinal) response.headers.set('x-should-retry', 'false');
  return response;
}

async function answerWhenEnded(
  jobs: JobContext,
  { forEnd }: Pick<Waits, 'forEnd'>,
  { request, caller }: CallerRequest,
  { accepted, isRepeated }: { accepted: TranscriptionAccepted; isRepeated: boolean },
  asked: AskedTranscription,
): Promise<Response> {
  const warnings: Warning[] = [...asked.warnings, ...accepted.warnings];
  const headers = {
    'x-trivium-job-id': accepted.id,
    'x-trivium-provider': accepted.provider,
    ...warningHeaders(warnings),
    ...(isRepeated ? { [replayedHeader]: 'true' } : {}),
  };
  const hasEnded = await forEnd(accepted.id, request.signal);
  if (!hasEnded) return new Response(null, { status: clientClosedRequest, headers });
  const job = Job.parse(await new Response(await readJob(jobs, caller, accepted.id)).json());
  if (!job.result) throw failedJob(job, headers);
  const { type, text } = formatTranscript(job.result, asked);
  const cost = { 'x-trivium-cost-usd': String(job.result.usage?.cost_usd ?? 0) };
  return new Response(text, { headers: { ...headers, ...cost, 'content-type': type } });
}

/** No client reads it: it marks the request as abandoned in the metrics. */
const clientClosedRequest = 499;

/** Who the caller is, and what the request may do. */
const forwardedHeaders = [
  ...['authorization', 'cookie', 'origin', 'sec-fetch-site', 'x-trivium-account'],
  ...['idempotency-key', 'x-max-cost-usd', 'x-trivium-tags'],
  ...['x-trivium-cache', 'x-trivium-webhook'],
];

function toApiRequest(request: Request, body: object): Request {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of forwardedHeaders) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Request(`${new URL(request.url).origin}/v1/transcriptions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
}

function listModels({ providers }: Pick<JobContext, 'providers'>): object {
  const isUsable = (name: string) =>
    name === 'auto' || providers[name as keyof typeof providers].state === 'configured';
  const usable = modelNames().filter(([, provider]) => isUsable(provider));
  return {
    object: 'list',
    data: usable.map(([id]) => ({ id, object: 'model', created: 0, owned_by: 'trivium' })),
  };
}

function faulty({ param, code, message }: FieldFault): GatewayError {
  const isUnknown = code === 'model_not_found';
  const words = isUnknown ? message : `${param}: ${message}`;
  return new GatewayError(isUnknown ? 'not_found' : 'invalid_request', words, {
    issues: [{ path: param, code, message: words }],
  });
}

function failedJob({ error, id }: Job, headers: Record<string, string>): GatewayError {
  const message = error?.message ?? 'The recording could not be transcribed.';
  return new GatewayError('provider_error', `${message} The job is ${id}.`, undefined, {
    // OpenAI's clients would send the file again.
    headers: { ...headers, 'x-should-retry': 'false' },
  });
}
