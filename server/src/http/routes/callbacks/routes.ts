// Callbacks from speech providers. A sender that cannot prove its identity gets a 404.
import { GatewayError, TranscriberId } from '@trivium/contract';
import { type JobContext, receiveCallback } from '../../../transcription/index.ts';
import { jsonText } from '../../middleware/body.ts';
import type { Incoming, Route } from '../../route.ts';

export function callbackRoutes(jobs: JobContext): Route[] {
  const handle = async ({ request, params }: Incoming) => {
    const provider = TranscriberId.safeParse(params['provider']);
    if (!provider.success) {
      throw new GatewayError('not_found', 'There are no callbacks at this address.');
    }
    const { headers, body } = request;
    const token = params['attempt'];
    await receiveCallback(jobs, {
      provider: provider.data,
      headers,
      body,
      ...(token === undefined ? {} : { token }),
    });
    return jsonText('{"status":"received"}');
  };
  return [
    { method: 'POST', path: '/callbacks/:provider', role: 'public', handle },
    { method: 'POST', path: '/callbacks/:provider/:attempt', role: 'public', handle },
  ];
}
