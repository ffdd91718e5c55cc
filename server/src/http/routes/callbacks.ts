// Where speech providers call back. Whoever cannot prove to be one finds nothing here.
import { GatewayError, TranscriberId } from '@trivium/contract';
import type { JobDesk } from '../../services/job-desk.ts';
import { receiveCallback } from '../../services/receive-callback.ts';
import type { Incoming, Route } from '../app.ts';
import { jsonText } from '../json-text.ts';

export function callbackRoutes(desk: JobDesk): Route[] {
  const handle = async ({ request, params }: Incoming) => {
    const provider = TranscriberId.safeParse(params['provider']);
    if (!provider.success) {
      throw new GatewayError('not_found', 'There is nothing to be called back here.');
    }
    const { headers, body } = request;
    const token = params['attempt'];
    await receiveCallback(desk, {
      provider: provider.data,
      headers,
      body,
      ...(token === undefined ? {} : { token }),
    });
    return jsonText('{"status":"received"}');
  };
  return [
    { method: 'POST', path: '/callbacks/:provider', public: true, handle },
    { method: 'POST', path: '/callbacks/:provider/:attempt', public: true, handle },
  ];
}
