// The tools transcribe and get_job: they wait for a job, or return its id after a timeout.
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { JobId, TranscriptionRequest } from '@trivium/contract';
import type { Job, Warning } from '@trivium/contract';
import { z } from 'zod';
import type { Client } from '../client.ts';
import { JobFailedError, TimedOutError } from '../errors.ts';
import { answer, footer, definedOnly, explainErrors } from './answer.ts';
import { argumentsOf } from './arguments.ts';
import { JobOutput } from './outputs.ts';

const requestFields = TranscriptionRequest.shape;
const transcribeInput = argumentsOf('transcribe', {
  audio_url: requestFields.audio_url,
  provider: requestFields.provider.optional(),
  language: requestFields.language,
  diarize: requestFields.diarize.optional(),
  keyterms: requestFields.keyterms,
  wait_seconds: z
    .int()
    .min(0)
    .max(240)
    .default(50)
    .describe('How long to wait for the transcript before returning the job id.'),
});
const jobInput = argumentsOf('get_job', { id: JobId });

export function registerJobTools(server: McpServer, client: Client): void {
  server.registerTool(
    'transcribe',
    {
      title: 'Transcribe a recording',
      description:
        'Turn a recording at a public https URL into text. If it is not ready in time, ' +
        'the result is a job id for get_job.',
      inputSchema: transcribeInput,
      outputSchema: JobOutput,
      annotations: { readOnlyHint: false, openWorldHint: true },
    },
    ({ audio_url, wait_seconds, ...rest }, { mcpReq }) =>
      explainErrors(async () => {
        const { signal } = mcpReq;
        const accepted = await client.transcribe({ audio_url, ...definedOnly(rest) }, { signal });
        const job = await waitFor(client, accepted.id, wait_seconds, mcpReq);
        return describeJob(job, accepted.warnings);
      }),
  );
  server.registerTool(
    'get_job',
    {
      title: 'Read a transcription job',
      description: 'Get the state of a transcription job, and its transcript once completed.',
      inputSchema: jobInput,
      outputSchema: JobOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ id }, { mcpReq: { signal } }) =>
      explainErrors(async () => describeJob(await client.jobs.get(id, { signal }), [])),
  );
}

/** Returns the job once it has ended or the wait times out. */
async function waitFor(
  client: Client,
  id: string,
  waitSeconds: number,
  mcpReq: ServerContext['mcpReq'],
): Promise<Job> {
  const { signal } = mcpReq;
  const timeoutMs = waitSeconds * 1000;
  if (timeoutMs === 0) return client.jobs.get(id, { signal });
  const onProgress = progressTo(mcpReq);
  try {
    return await client.jobs.wait(id, { signal, timeout_ms: timeoutMs, on_progress: onProgress });
  } catch (error) {
    if (error instanceof JobFailedError) return error.job;
    if (error instanceof TimedOutError) return client.jobs.get(id, { signal });
    throw error;
  }
}

/** Sends progress to a client that asked for it. */
function progressTo({ _meta, notify }: ServerContext['mcpReq']): (job: Job) => void {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return ({ status, attempt_status }) => {
    if (progressToken === undefined) return;
    progress += 1;
    const message = `${status}, ${attempt_status}`;
    const params = { progressToken, progress, message };
    // A disconnected client must not end the wait for the job.
    notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

function describeJob(job: Job, warnings: readonly Warning[]): CallToolResult {
  const { id, status, provider, result, error } = job;
  if (error !== null) {
    const text = `The job ${id} failed: ${error.type}: ${error.message}`;
    return { isError: true, content: [{ type: 'text', text }] };
  }
  if (result === null) {
    const text = `The job ${id} is ${status}. Ask again with get_job in a while.`;
    return answer(text, { id, status, provider, warnings });
  }
  const { text, language, duration_seconds, usage } = result;
  const facts = definedOnly({ language, duration_seconds, usage });
  return answer(`${text}\n\n${footer(provider, warnings, usage)}`, {
    id,
    status,
    provider,
    text,
    ...facts,
    warnings,
  });
}
