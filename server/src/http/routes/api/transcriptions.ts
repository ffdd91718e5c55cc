// POST /v1/transcriptions, GET /v1/jobs and GET /v1/jobs/{id}.
import { JobId, transcriptionRequestAllowing } from '@trivium/contract';
import type { JobContext } from '../../../transcription/job-context.ts';
import { readJob } from '../../../transcription/read-job.ts';
import { transcribe } from '../../../transcription/transcribe.ts';
import { validate } from '../../middleware/body.ts';
import { paidPost } from '../../middleware/paid-post.ts';
import type { Route } from '../../route.ts';

/** `privateHosts` are allowed in `audio_url` although they are private: the sandbox's own. */
export function transcriptionRoutes(jobs: JobContext, privateHosts: readonly string[]): Route[] {
  return [
    paidPost(jobs, {
      path: '/v1/transcriptions',
      tool: 'transcription',
      schema: transcriptionRequestAllowing(privateHosts),
      serve: (body, requestContext) => transcribe(jobs, requestContext, body),
    }),
    {
      method: 'GET',
      path: '/v1/jobs/:id',
      handle: async ({ params, caller }) => {
        const body = await readJob(jobs, caller, validate(JobId, params['id']));
        return new Response(body, { headers: { 'content-type': 'application/json' } });
      },
    },
  ];
}
