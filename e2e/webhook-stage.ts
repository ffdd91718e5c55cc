// A gateway that may send webhooks to this machine, and a receiver, for all tests of a file.
import { afterAll, beforeAll } from 'bun:test';
import { createDatabase } from './database.ts';
import { startGateway } from './harness.ts';
import type { Gateway } from './harness.ts';
import { operatorToken, webhookAdmin } from './webhook-admin.ts';
import type { WebhookAdmin } from './webhook-admin.ts';
import { startReceiver } from './webhook-receiver.ts';
import type { Receiver } from './webhook-receiver.ts';

export interface WebhookStage {
  gateway: Gateway;
  receiver: Receiver;
  admin: WebhookAdmin;
  account: string;
}

const limitMs = 120_000;

export function webhookStage(
  engine: string,
  env: Readonly<Record<string, string>> = {},
): () => WebhookStage {
  let database: Awaited<ReturnType<typeof createDatabase>> | undefined;
  let stage: WebhookStage | undefined;
  beforeAll(async () => {
    if (engine === 'PostgreSQL') database = await createDatabase();
    const gateway = await startGateway({
      env: { TRIVIUM_ADMIN_TOKEN: operatorToken, TRIVIUM_ALLOW_PRIVATE_WEBHOOKS: '1', ...env },
      ...(database ? { database_url: database.url } : {}),
    });
    const admin = webhookAdmin(() => gateway);
    stage = { gateway, admin, receiver: startReceiver(), account: await admin.account() };
  }, limitMs);
  afterAll(async () => {
    await stage?.gateway.close();
    await stage?.receiver[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  }, limitMs);
  return () => {
    if (stage === undefined) throw new Error('The stage exists only while tests run.');
    return stage;
  };
}
