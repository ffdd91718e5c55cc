// POST /v1/audio/transcriptions and GET /v1/models in OpenAI's format. The file becomes an upload
// and the request becomes a job, which is accepted, paid and logged like any other. The response
// waits for the job.
import {
  type ConcurrencyLimiter,
  makeOwnerLimiter,
  runLimited,
} from '../../../platform/concurrency-limiter.ts';
import {
  GatewayError,
  IdempotencyKey,
  Job,
  TranscriptionAccepted,
  tryLater,
} from '@trivium/contract';
import type { Warning } from '@trivium/contract';
import { z } from 'zod';
import type { Caller } from '../../../requests/index.ts';
import { type JobContext, readJob } from '../../../transcription/index.ts';
import { describeUpload, removeUpload, requestUploadLifeMs } from '../../../uploads/index.ts';
import { clientClosedRequest, validate } from '../../middleware/body.ts';
import { receiveUpload } from '../../middleware/upload-body.ts';
import type { HttpContext } from '../../context.ts';
import type { CallerRequest, Route } from '../../route.ts';
import { readPaidHeaders, servePaid } from '../../serve-paid.ts';
import { readOptions, refuseAdjustments, warningHeaders } from '../compat/headers.ts';
import { callerRoute } from '../rows.ts';
import { formatTranscript } from './answer.ts';
import { modelNames, readFields, type AskedTranscription } from './request.ts';

export function openAiRoutes(context: HttpContext): Route[] {
  // By API key and idempotency key.
  const waiting = makeOwnerLimiter('transcriptions_of_idempotency_keys', maxWaitingOfKey);
  return [
    callerRoute('POST', '/v1/audio/transcriptions', { waits: true }, (incoming) =>
      waitInTurn(context, waiting, incoming),
    ),
    callerRoute('GET', '/v1/models', {}, () => listModels(context)),
  ];
}

/** A client that repeats a request rarely has more than two in progress. */
const maxWaitingOfKey = 8;

/** Checked before the file is read, because each request with the same key sends it again. */
async function waitInTurn(
  context: HttpContext,
  waiting: ConcurrencyLimiter,
  incoming: CallerRequest,
): Promise<Response> {
  const key = readKey(incoming.request.headers);
  if (key === undefined) return transcribeFile(context, incoming);
  const name = `${incoming.caller.key_id} ${key}`;
  return runLimited(waiting, name, tooManyWaiting, () => transcribeFile(context, incoming));
}

function tooManyWaiting(): GatewayError {
  const message = `${maxWaitingOfKey} requests with this Idempotency-Key are in progress.`;
  return tryLater('rate_limited', `${message} Wait for one of them.`, 5);
}

async function transcribeFile(
  { jobs, admit, tools }: HttpContext,
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
    if (strict) refuseAdjustments(asked.warnings);
    const { audio_url } = describeUpload(uploads, upload);
    // The order of different fields has no meaning, but the order within a list has.
    const sorted = fields.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
    const compared = digest === undefined ? undefined : { file: digest, fields: sorted };
    const served = await admit(caller, () =>
      servePaid(tools.transcription, caller, {
        request_id: incoming.request_id,
        body: { ...asked.request, audio_url, strict },
        headers: readPaidHeaders(request.headers),
        ...(compared ? { comparedAs: { ...compared, strict } } : {}),
      }),
    ).catch(withoutRetries);
    // A repeated request gets the job of the first one, which already has the file.
    const isRepeated = served.headers?.[replayedHeader] !== undefined;
    if (isRepeated) await forget(uploads, caller, upload.id);
    belongsToJob = true;
    const accepted = TranscriptionAccepted.parse(JSON.parse(served.text));
    return await answerWhenEnded(jobs, incoming, { accepted, isRepeated }, asked);
  } finally {
    if (!belongsToJob) await forget(uploads, caller, upload.id);
  }
}

const replayedHeader = 'idempotent-replayed';
const KeyHeader = z.object({ 'idempotency-key': IdempotencyKey.optional() });

/** Checked before the file is read, because the file may be long. */
function readKey(headers: Headers): string | undefined {
  const name = 'idempotency-key';
  return validate(KeyHeader, { [name]: headers.get(name) ?? undefined })[name];
}

/** If this fails, the sweep deletes the upload. */
async function forget(uploads: JobContext['uploads'], caller: Caller, id: string): Promise<void> {
  await removeUpload(uploads, caller, id).catch(() => undefined);
}

/** Otherwise OpenAI's clients would send the file again. */
const notAgain = { 'x-should-retry': 'false' };

/** OpenAI's clients retry every 409 with the whole file, although only waiting helps. */
function withoutRetries(error: unknown): never {
  if (!(error instanceof GatewayError) || error.status !== 409) throw error;
  const { type, message, detail, status, headers } = error;
  if ('retry-after' in headers) throw error;
  const final = { status, headers: { ...headers, ...notAgain }, cause: error };
  throw new GatewayError(type, message, detail, final);
}

async function answerWhenEnded(
  jobs: JobContext,
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
  const hasEnded = await jobs.ends.waitFor(accepted.id, request.signal);
  if (!hasEnded) return new Response(null, { status: clientClosedRequest, headers });
  const room = jobs.bytes?.open(caller.account_id, { weight: transcriptWeight });
  try {
    const read = await readJob(jobs, caller, accepted.id, caller.policy?.content);
    const stored = await new Response(read.body).text();
    if ((await room?.grow(stored.length)) === false) throw noRoomFor(accepted.id, headers);
    const job = Job.parse(JSON.parse(stored));
    if (!job.result) throw failedJob(job, headers);
    const { type, text } = formatTranscript(job.result, asked);
    const cost = { 'x-trivium-cost-usd': String(job.result.usage?.cost_usd ?? 0) };
    return new Response(text, { headers: { ...headers, ...cost, 'content-type': type } });
  } finally {
    room?.close();
  }
}

/** The memory in which a transcript is parsed and formatted, in multiples of its length. */
const transcriptWeight = 6;

function noRoomFor(id: string, headers: Record<string, string>): GatewayError {
  const message =
    'The gateway does not have enough memory for this long transcript at the moment. It is ' +
    `ready at GET /v1/jobs/${id}.`;
  const options = { status: 503, headers: { ...headers, ...notAgain } };
  return new GatewayError('provider_not_available', message, undefined, options);
}

function listModels({ providers }: HttpContext): object {
  const isUsable = (name: string) =>
    name === 'auto' || providers[name as keyof typeof providers].state === 'configured';
  const usable = modelNames().filter(([, provider]) => isUsable(provider));
  return {
    object: 'list',
    data: usable.map(([id]) => ({ id, object: 'model', created: 0, owned_by: 'trivium' })),
  };
}

function failedJob({ error, id }: Job, headers: Record<string, string>): GatewayError {
  const message = error?.message ?? 'The recording could not be transcribed.';
  const options = { headers: { ...headers, ...notAgain } };
  return new GatewayError('provider_error', `${message} The job is ${id}.`, undefined, options);
}
