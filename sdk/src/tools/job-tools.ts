// The tools transcribe and get_job: they wait for a job, or return its id after a timeout.
import { JobId, maxToolTextChars, transcriberIds, TranscriptionRequest } from '@trivium/contract';
import type { Job, Warning } from '@trivium/contract';
import { z } from 'zod';
import { JobFailedError, TimedOutError } from '../errors.ts';
import { waitForJob } from '../jobs.ts';
import type { JobToolOutput } from '../tool-types.ts';
import { argumentsOf } from './arguments.ts';
import { JobOutput } from './outputs.ts';
import { providerArgument } from './provider-argument.ts';
import { definedOnly, footer } from './text.ts';
import type { AgentTool, ToolCall, ToolResult } from './tool.ts';

const requestFields = TranscriptionRequest.shape;
const transcribeInput = argumentsOf('transcribe', {
  audio_url: requestFields.audio_url,
  provider: providerArgument(['auto', ...transcriberIds], 'auto, or one provider by name or id.'),
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

export const transcribeTool: AgentTool<JobToolOutput, typeof transcribeInput> = {
  name: 'transcribe',
  title: 'Transcribe a recording',
  description:
    'Turn a recording at a public https URL into text. If it is not ready in time, ' +
    'the result is a job id for get_job.',
  input: transcribeInput,
  output: JobOutput,
  annotations: { readOnlyHint: false, openWorldHint: true },
  run: async ({ audio_url, wait_seconds, ...rest }, call) => {
    const { client, signal } = call;
    const accepted = await client.transcribe({ audio_url, ...definedOnly(rest) }, { signal });
    return describeJob(await waitFor(accepted.id, wait_seconds, call), accepted.warnings);
  },
};

export const getJobTool: AgentTool<JobToolOutput, typeof jobInput> = {
  name: 'get_job',
  title: 'Read a transcription job',
  description: 'Get the state of a transcription job, and its transcript once completed.',
  input: jobInput,
  output: JobOutput,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: async ({ id }, { client, signal }) => describeJob(await client.jobs.get(id, { signal }), []),
};

/** Returns the job once it has ended or the wait times out. */
async function waitFor(id: string, waitSeconds: number, call: ToolCall): Promise<Job> {
  const { client, signal, onProgress } = call;
  const timeoutMs = waitSeconds * 1000;
  if (timeoutMs === 0) return client.jobs.get(id, { signal });
  try {
    const read = (stop: AbortSignal) => client.jobs.get(id, { signal: stop });
    return await waitForJob(read, { signal, timeoutMs, onProgress });
  } catch (error) {
    if (error instanceof TimedOutError) return client.jobs.get(id, { signal });
    throw error;
  }
}

function describeJob(job: Job, warnings: Warning[]): ToolResult<JobToolOutput> {
  const { id, status, provider, result, error } = job;
  if (error !== null) throw new JobFailedError(job, error);
  if (result === null) {
    const text = `The job ${id} is ${status}. Ask again with get_job in a while.`;
    return { text, facts: { id, status, provider, warnings } };
  }
  const { language, duration_seconds, usage } = result;
  const text = truncatedText(id, result.text);
  const known = definedOnly({ language, duration_seconds, usage });
  return {
    text: `${text}\n\n${footer(provider, warnings, usage)}`,
    facts: { id, status, provider, text, ...known, warnings },
  };
}

/** A model reads no more; the whole is where programs get it. */
function truncatedText(id: string, text: string): string {
  if (text.length <= maxToolTextChars) return text;
  const beginning = text.slice(0, maxToolTextChars).trimEnd();
  return (
    `${beginning}\n\n[The transcript continues. These are its first ${beginning.length} ` +
    `characters; the whole is at GET /v1/jobs/${id}, and is the resource ` +
    `trivium://transcripts/${id}.]`
  );
}
