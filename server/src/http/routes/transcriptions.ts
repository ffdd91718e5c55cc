// POST /v1/transcriptions and GET /v1/jobs/{id}.
import { JobId, transcriptionRequestAllowing } from '@trivium/contract';
import type { JobDesk } from '../../services/job-desk.ts';
import { readJob } from '../../services/read-job.ts';
import { transcribe } from '../../services/transcribe.ts';
import type { Route } from '../app.ts';
import { validate } from '../body.ts';
import { paidPost } from '../paid-post.ts';

/** `private_hosts` may be named in an `audio_url` although they are private: the sandbox's own. */
export function transcriptionRoutes(desk: JobDesk, private_hosts: readonly string[]): Route[] {
  return [
    paidPost(desk.house, {
      path: '/v1/transcriptions',
      tool: 'transcription',
      schema: transcriptionRequestAllowing(private_hosts),
      serve: (asked, asking) => transcribe(desk, asking, asked),
    }),
    {
      method: 'GET',
      path: '/v1/jobs/:id',
      handle: async ({ params, caller }) => {
        const body = await readJob(desk.house, caller, validate(JobId, params['id']));
        return new Response(body, { headers: { 'content-type': 'application/json' } });
      },
    },
  ];
}
