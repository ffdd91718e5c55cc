// POST /v1/transcriptions, GET /v1/jobs and GET /v1/jobs/{id}.
import { JobId, transcriptionRequestAllowing, webhookUrlAllowing } from '@trivium/contract';
import type { JobContext } from '../../../transcription/job-context.ts';
import { uploadAt } from '../../../uploads/audio-url.ts';
import { readJob, readJobBriefly } from '../../../transcription/read-job.ts';
import { prepareTranscription, transcribe } from '../../../transcription/transcribe.ts';
import { wantsBeginning } from '../../middleware/agent-calls.ts';
import { validate } from '../../middleware/body.ts';
import { paidPost } from '../../middleware/paid-post.ts';
import type { Route } from '../../route.ts';

interface Addresses {
  /** Allowed in `audio_url` although they are private: the sandbox's own. */
  privateHosts: readonly string[];
  allowPrivateWebhooks: boolean;
}

export function transcriptionRoutes(
  jobs: JobContext,
  { privateHosts, allowPrivateWebhooks }: Addresses,
): Route[] {
  return [
    paidPost(jobs, {
      path: '/v1/transcriptions',
      tool: 'transcription',
      schema: transcriptionRequestAllowing(
        privateHosts,
        (url) => uploadAt(jobs.secret, url) !== undefined,
      ),
      webhookUrl: webhookUrlAllowing(allowPrivateWebhooks),
      calls: (body, requestContext) => [prepareTranscription(jobs, requestContext, body).provider],
      serve: (body, requestContext) => transcribe(jobs, requestContext, body),
    }),
    {
      method: 'GET',
      path: '/v1/jobs/:id',
      handle: async ({ request, params, caller }) => {
        const read = wantsBeginning(request) ? readJobBriefly : readJob;
        const body = await read(jobs, caller, validate(JobId, params['id']));
        return new Response(body, { headers: { 'content-type': 'application/json' } });
      },
    },
  ];
}
