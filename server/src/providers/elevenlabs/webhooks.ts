// Finds which of the workspace's webhooks at ElevenLabs points to this gateway. Its secret is shown
// only once, when it is created, so the operator has to provide it.
import { z } from 'zod';
import type { Reply } from '../../upstream/core/index.ts';
import type { Discovery, VendorSettings } from '../shared/transcribe-product.ts';

export const discovery = { first, next };

const idSetting = 'ELEVENLABS_WEBHOOK_ID';
const secretSetting = 'ELEVENLABS_WEBHOOK_SECRET';

function first({ extras }: VendorSettings): Discovery {
  if (idSetting in extras && secretSetting in extras) return { kind: 'over', found: {} };
  const query = { include_usages: true };
  const wire = { method: 'GET', path: '/v1/workspace/webhooks', query } as const;
  return { kind: 'ask', wire, state: undefined };
}

function next(reply: Reply, _state: unknown, { extras, callback_url }: VendorSettings): Discovery {
  const hasSecret = secretSetting in extras;
  if (reply.status >= 300) {
    const why = `its webhooks could not be listed (status ${reply.status})`;
    const advice = hasSecret
      ? `so transcripts go to every webhook of the workspace; set ${idSetting} for one`
      : `set ${idSetting} and ${secretSetting} to be called back`;
    return over(`${why}, ${advice}`);
  }
  const webhooks = Webhooks.safeParse(reply.body).data?.webhooks ?? [];
  const ours = webhooks.find(({ webhook_url }) => sameAddress(webhook_url, callback_url));
  if (!ours) {
    return over(
      `no webhook points here; create one for ${callback_url} with the event "Transcription ` +
        `completed" and HMAC, and set ${idSetting} and ${secretSetting}`,
    );
  }
  const { webhook_id } = ours;
  if (ours.is_disabled || ours.is_auto_disabled) {
    return over(`its webhook ${webhook_id} points here but is disabled; enable it there`);
  }
  if (hasSecret) {
    return over(`its webhook ${webhook_id} points here and is used`, { [idSetting]: webhook_id });
  }
  return over(
    `its webhook ${webhook_id} points here, but its secret is shown only when it is created; ` +
      `set ${secretSetting} to use it`,
  );
}

/** Only the required fields: the list contains more, and varies. */
const Webhooks = z.object({
  webhooks: z.array(
    z.object({
      webhook_id: z.string().min(1),
      webhook_url: z.string(),
      is_disabled: z.boolean().nullish(),
      is_auto_disabled: z.boolean().nullish(),
    }),
  ),
});

function sameAddress(one: string, other: string): boolean {
  return one.replace(/(?<!\/)\/+$/, '') === other.replace(/(?<!\/)\/+$/, '');
}

function over(message: string, found: Readonly<Record<string, string>> = {}): Discovery {
  return { kind: 'over', found, message };
}
