// Callbacks from speech providers. A sender that cannot prove its identity gets a 404.
import { GatewayError, TranscriberId } from '@trivium/contract';
import { receiveCallback } from '../../../transcription/index.ts';
import type { HttpContext } from '../../context.ts';
import { jsonText } from '../../middleware/body.ts';
import type { Incoming, Route } from '../../route.ts';
import { publicRoute } from '../rows.ts';

export function callbackRoutes({ jobs }: HttpContext): Route[] {
  const handle = async ({ request: { headers, body }, params }: Incoming) => {
    const provider = TranscriberId.safeParse(params['provider']).data;
    if (!provider) throw new GatewayError('not_found', 'There are no callbacks at this address.');
    const token = params['attempt'];
    const signed = token === undefined ? {} : { token };
    await receiveCallback(jobs, { provider, headers, body, ...signed });
    return jsonText('{"status":"received"}');
  };
  return ['/callbacks/:provider', '/callbacks/:provider/:attempt'].map((path) =>
    publicRoute('POST', path, {}, handle),
  );
}
