// A gateway that may send webhooks to this machine, and a receiver, for all tests of a block.
import { shared, startGateway } from './harness.ts';
import type { Engine, Gateway } from './harness.ts';
import { operatorToken, webhookAdmin } from './webhook-admin.ts';
import type { WebhookAdmin } from './webhook-admin.ts';
import { startReceiver } from './webhook-receiver.ts';
import type { Receiver } from './webhook-receiver.ts';

export interface WebhookFixture extends AsyncDisposable {
  gateway: Gateway;
  receiver: Receiver;
  admin: WebhookAdmin;
  account: string;
}

export function webhookFixture(
  engine: Engine,
  env: Readonly<Record<string, string>> = {},
): () => WebhookFixture {
  return shared(async () => {
    const allowed = { TRIVIUM_ADMIN_TOKEN: operatorToken, TRIVIUM_ALLOW_PRIVATE_WEBHOOKS: '1' };
    const gateway = await startGateway({ engine, env: { ...allowed, ...env } });
    const receiver = startReceiver();
    const admin = webhookAdmin(() => gateway);
    return {
      ...{ gateway, admin, receiver, account: await admin.account() },
      [Symbol.asyncDispose]: async () => {
        await gateway.close();
        await receiver[Symbol.asyncDispose]();
      },
    };
  });
}
