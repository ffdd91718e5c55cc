// The tools transcribe and get_job: a job is waited for, or handed back by its id when time is up.
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { JobId, TranscriptionRequest } from '@trivium/contract';
import type { Job, Warning } from '@trivium/contract';
import { z } from 'zod';
import type { Client } from '../client.ts';
import { JobFailedError, TimedOutError } from '../errors.ts';
import { answer, ending, given, orExplain } from './answer.ts';
import { argumentsOf } from './arguments.ts';
import { JobOutput } from './outputs.ts';

const asked = TranscriptionRequest.shape;
const transcribeInput = argumentsOf('transcribe', {
  audio_url: asked.audio_url,
  provider: asked.provider.optional(),
  language: asked.language,
  diarize: asked.diarize.optional(),
  keyterms: asked.keyterms,
  wait_seconds: z
    .int()
    .min(0)
    .max(240)
    .default(50)
    .describe('How long to wait for the transcript before answering with the job.'),
});
const jobInput = argumentsOf('get_job', { id: JobId });

export function registerJobTools(server: McpServer, client: Client): void {
  server.registerTool(
    'transcribe',
    {
      title: 'Transcribe a recording',
      description:
        'Turn a recording at a public https address into text. If it is not ready in time, ' +
        'the answer is a job id for get_job.',
      inputSchema: transcribeInput,
      outputSchema: JobOutput,
      annotations: { readOnlyHint: false, openWorldHint: true },
    },
    ({ audio_url, wait_seconds, ...rest }, { mcpReq }) =>
      orExplain(async () => {
        const { signal } = mcpReq;
        const accepted = await client.transcribe({ audio_url, ...given(rest) }, { signal });
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
      orExplain(async () => describeJob(await client.jobs.get(id, { signal }), [])),
  );
}

/** Answers the job as it stands when it has ended or the time is over. */
async function waitFor(
  client: Client,
  id: string,
  wait_seconds: number,
  mcpReq: ServerContext['mcpReq'],
): Promise<Job> {
  const { signal } = mcpReq;
  const timeout_ms = wait_seconds * 1000;
  if (timeout_ms === 0) return client.jobs.get(id, { signal });
  const on_progress = progressTo(mcpReq);
  try {
    return await client.jobs.wait(id, { signal, timeout_ms, on_progress });
  } catch (error) {
    if (error instanceof JobFailedError) return error.job;
    if (error instanceof TimedOutError) return client.jobs.get(id, { signal });
    throw error;
  }
}

/** Tells a client that asked for it where the job stands; each report counts one further. */
function progressTo({ _meta, notify }: ServerContext['mcpReq']): (job: Job) => void {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return ({ status, attempt_status }) => {
    if (progressToken === undefined) return;
    progress += 1;
    const message = `${status}, ${attempt_status}`;
    const params = { progressToken, progress, message };
    // A client that is gone hears nothing; that must not end the job's wait.
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
  const facts = given({ language, duration_seconds, usage });
  return answer(`${text}\n\n${ending(provider, warnings, usage)}`, {
    id,
    status,
    provider,
    text,
    ...facts,
    warnings,
  });
}
