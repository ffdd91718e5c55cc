// POST /v1/transcriptions and GET /v1/jobs/{id}.
import { GatewayError, JobId, TranscriptionRequest } from '@trivium/contract';
import type { Route } from '../app.ts';
import { readBody, validate } from '../body.ts';

export function transcriptionRoutes(): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/transcriptions',
      handle: async ({ request }) => {
        await readBody(request, TranscriptionRequest);
        throw new GatewayError(
          'provider_not_available',
          'This deployment cannot run transcription jobs yet.',
          undefined,
          { status: 503 },
        );
      },
    },
    {
      method: 'GET',
      path: '/v1/jobs/:id',
      handle: ({ params }) => {
        const id = validate(JobId, params['id']);
        throw new GatewayError('not_found', `There is no job ${id} on this account.`);
      },
    },
  ];
}
