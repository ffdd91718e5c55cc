// Transcription jobs and their transcripts as resources: an agent can list and read them, and a
// person can attach a transcript to a conversation.
import { ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { McpServer, ReadResourceResult } from '@modelcontextprotocol/server';
import { JobId } from '@trivium/contract';
import type { ContentMode, Job, JobSummary } from '@trivium/contract';
import { ApiError } from '../errors.ts';
import { frameTexts } from '../frame.ts';
import type { AgentClient } from '../tools/tool.ts';
import type { McpOptions } from './register-tool.ts';

/** Only the newest jobs are listed; older ones can be read by id. */
const maxListed = 50;

export function registerJobResources(
  server: McpServer,
  client: AgentClient,
  { contentMode, newMarker }: McpOptions,
): void {
  const inTurn = makeTurns();
  server.registerResource(
    'job',
    new ResourceTemplate('trivium://jobs/{id}', {
      list: async () => ({ resources: (await newest(client)).map(jobResource) }),
    }),
    {
      title: 'Transcription job',
      description:
        'The state of a transcription job, and its transcript with times once completed.',
      mimeType: 'application/json',
    },
    (uri, { id }) =>
      inTurn(async () => {
        const job = await findJob(client, contentMode, uri, id);
        return contentsOf(uri, 'application/json', JSON.stringify(job));
      }),
  );
  server.registerResource(
    'transcript',
    new ResourceTemplate('trivium://transcripts/{id}', {
      list: async () => ({
        resources: (await newest(client, 'completed')).map(transcriptResource),
      }),
    }),
    {
      title: 'Transcript',
      description:
        'The transcript of a recording, as text that is marked as untrusted. The id is the job id.',
      mimeType: 'text/plain',
    },
    (uri, { id }) =>
      inTurn(async () => {
        const { result, status } = await findJob(client, contentMode, uri, id);
        if (result === null) {
          throw new ResourceNotFoundError(uri.href, `The job is ${status}; it has no transcript.`);
        }
        return contentsOf(uri, 'text/plain', frameTexts([result.text], newMarker()));
      }),
  );
}

/** A job with all its words is many times as large as its text, so jobs are read one at a time. */
function makeTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let previous: Promise<unknown> = Promise.resolve();
  return (work) => {
    const own = previous.then(work);
    previous = own.catch(() => undefined);
    return own;
  };
}

async function newest(client: AgentClient, status?: JobSummary['status']): Promise<JobSummary[]> {
  const { jobs } = await client.jobs.list({ limit: maxListed, status });
  return jobs;
}

function jobResource({ id, status, provider, created_at }: JobSummary) {
  return {
    uri: `trivium://jobs/${id}`,
    name: id,
    title: `Job of ${created_at}: ${provider}, ${status}`,
    mimeType: 'application/json',
  };
}

function transcriptResource({ id, provider, created_at }: JobSummary) {
  return {
    uri: `trivium://transcripts/${id}`,
    name: `transcript of ${id}`,
    title: `Transcript of ${created_at}: ${provider}`,
    mimeType: 'text/plain',
  };
}

async function findJob(
  client: AgentClient,
  contentMode: ContentMode,
  uri: URL,
  id: string | string[] | undefined,
): Promise<Job> {
  const known = JobId.safeParse(id);
  if (!known.success) throw new ResourceNotFoundError(uri.href, 'This is not a job id.');
  try {
    return (await client.jobs.get(known.data, { contentMode }).withResponse()).data;
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'not_found') throw error;
    throw new ResourceNotFoundError(uri.href, error.message);
  }
}

function contentsOf(uri: URL, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType, text }] };
}
