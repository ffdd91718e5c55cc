// The tools transcribe and get_job: they wait for a job, or return its id after a time limit.
import { JobId, maxToolTextChars, transcriberIds, TranscriptionRequest } from '@trivium/contract';
import type { Job, Warning } from '@trivium/contract';
import { z } from 'zod';
import { JobFailedError, TimedOutError } from '../errors.ts';
import { waitForJob, warningsOfJob } from '../jobs.ts';
import type { JobToolOutput } from '../tool-types.ts';
import { argumentsOf, providerArgument } from './arguments.ts';
import { JobOutput } from './outputs.ts';
import { signalsIn, withSignals } from './signals.ts';
import { definedOnly, resultText } from './text.ts';
import type { AgentTool, Frame, ToolCall } from './tool.ts';

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
    return factsOf(await waitFor(accepted.id, wait_seconds, call), accepted.warnings);
  },
  write: writeJob,
};

export const getJobTool: AgentTool<JobToolOutput, typeof jobInput> = {
  name: 'get_job',
  title: 'Read a transcription job',
  description: 'Get the state of a transcription job, and its transcript once completed.',
  input: jobInput,
  output: JobOutput,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: async ({ id }, call) => factsOf(await readJob(id, call, call.signal), []),
  write: writeJob,
};

interface ReadJob {
  job: Job;
  /** What the gateway found in the transcript. */
  found: readonly Warning[];
}

async function readJob(
  id: string,
  { client, contentMode }: ToolCall,
  signal: AbortSignal | undefined,
): Promise<ReadJob> {
  const { data: job, headers } = await client.jobs.get(id, { signal, contentMode }).withResponse();
  return { job, found: warningsOfJob(headers) };
}

/** Returns the job once it has ended or the wait times out. */
async function waitFor(id: string, waitSeconds: number, call: ToolCall): Promise<ReadJob> {
  const { signal, onProgress } = call;
  const timeoutMs = waitSeconds * 1000;
  if (timeoutMs === 0) return readJob(id, call, signal);
  let found: ReadJob['found'] = [];
  const read = async (stop: AbortSignal) => {
    const last = await readJob(id, call, stop);
    ({ found } = last);
    return last.job;
  };
  try {
    const job = await waitForJob(read, { signal, timeoutMs, onProgress });
    return { job, found };
  } catch (error) {
    if (error instanceof TimedOutError) return readJob(id, call, signal);
    throw error;
  }
}

function factsOf({ job, found }: ReadJob, accepted: readonly Warning[]): JobToolOutput {
  const { id, status, provider, result, error } = job;
  if (error !== null) throw new JobFailedError(job, error);
  const warnings = [...accepted, ...found];
  if (result === null) return { id, status, provider, warnings };
  const { language, duration_seconds, usage } = result;
  const known = definedOnly({ language, duration_seconds, usage });
  const signals = withSignals(found.flatMap(({ message }) => signalsIn(message)));
  return { id, status, provider, ...beginningOf(id, result.text), ...known, ...signals, warnings };
}

function writeJob(facts: JobToolOutput, frame: Frame): string {
  const { id, status, provider, text, note, warnings, usage } = facts;
  if (text === undefined) return `The job ${id} is ${status}. Call get_job again later.`;
  return resultText([text], { provider, warnings, usage, note }, frame);
}

/** The model gets only the beginning of a long transcript; programs can get all of it. */
function beginningOf(id: string, text: string): { text: string; note?: string } {
  if (text.length <= maxToolTextChars) return { text };
  const beginning = text.slice(0, maxToolTextChars).trimEnd();
  const note =
    `The transcript continues. These are its first ${beginning.length} characters; all of it is ` +
    `at GET /v1/jobs/${id} and in the resource trivium://transcripts/${id}.`;
  return { text: beginning, note };
}
