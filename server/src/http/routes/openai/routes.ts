// POST /v1/audio/transcriptions and GET /v1/models in OpenAI's shape. The file becomes an upload
// and the request a job, accepted, paid and logged like any other; the response waits for it.
import { GatewayError, Job } from '@trivium/contract';
import type { TranscriptionAccepted, Warning } from '@trivium/contract';
import type { Caller } from '../../../billing/request-context.ts';
import type { JobContext } from '../../../transcription/job-context.ts';
import { readJob } from '../../../transcription/read-job.ts';
import { waitForEnd } from '../../../transcription/wait-for-end.ts';
import { describeUpload, removeUpload } from '../../../uploads/read-upload.ts';
import type { Dispatch } from '../../dispatch.ts';
import { receiveUpload } from '../../middleware/upload-body.ts';
import type { Incoming, Route } from '../../route.ts';
import { readOptions, refuseAdjustments, warningHeaders } from '../compat/headers.ts';
import { formatTranscript } from './answer.ts';
import { modelNames, readFields } from './request.ts';
import type { AskedTranscription, FieldFault } from './request.ts';

export function openAiRoutes(jobs: JobContext, dispatch: Dispatch): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/audio/transcriptions',
      // It waits for a job, which may take minutes.
      dispatches: true,
      handle: (incoming) => transcribeFile(jobs, dispatch, incoming),
    },
    { method: 'GET', path: '/v1/models', handle: () => Response.json(listModels(jobs)) },
  ];
}

type CallerRequest = Incoming & { caller: Caller };

async function transcribeFile(
  jobs: JobContext,
  dispatch: Dispatch,
  incoming: CallerRequest,
): Promise<Response> {
  const { request, caller } = incoming;
  const { uploads } = jobs;
  const { strict } = readOptions(request.headers);
  const { upload, fields } = await receiveUpload(uploads, caller, request, 'form');
  let accepted: TranscriptionAccepted | undefined;
  try {
    const asked = readFields(fields);
    if ('param' in asked) throw faulty(asked);
    if (strict) refuseAdjustments(asked.warnings);
    const { audio_url } = describeUpload(uploads, upload);
    const body = { ...asked.request, audio_url, strict };
    const response = await dispatch(toApiRequest(request, body), incoming.request_id);
    // The errors of the API are translated with all others of this path.
    if (!response.ok) return response;
    accepted = (await response.json()) as TranscriptionAccepted;
    return await answerWhenEnded(jobs, incoming, accepted, asked);
  } finally {
    if (!accepted) await removeUpload(uploads, caller, upload.id).catch(() => undefined);
  }
}

async function answerWhenEnded(
  jobs: JobContext,
  { request, caller, keepOpen }: CallerRequest,
  accepted: TranscriptionAccepted,
  asked: AskedTranscription,
): Promise<Response> {
  keepOpen?.();
  const warnings: Warning[] = [...asked.warnings, ...accepted.warnings];
  const headers = {
    'x-trivium-job-id': accepted.id,
    'x-trivium-provider': accepted.provider,
    ...warningHeaders(warnings),
  };
  const hasEnded = await waitForEnd(jobs, accepted.id, request.signal);
  if (!hasEnded) return new Response(null, { status: clientClosedRequest, headers });
  const job = Job.parse(await new Response(await readJob(jobs, caller, accepted.id)).json());
  if (!job.result) throw failedJob(job, headers);
  const { type, text } = formatTranscript(job.result, asked);
  const cost = { 'x-trivium-cost-usd': String(job.result.usage?.cost_usd ?? 0) };
  return new Response(text, { headers: { ...headers, ...cost, 'content-type': type } });
}

/** No client reads it: it marks the request as abandoned in the metrics. */
const clientClosedRequest = 499;

/** Who the caller is, and what it may cost. */
const forwardedHeaders = [
  ...['authorization', 'cookie', 'origin', 'sec-fetch-site'],
  ...['x-trivium-account', 'x-max-cost-usd'],
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
