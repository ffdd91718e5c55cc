// Addresses of webhooks that a gateway must not reach.
import { expect, test } from 'bun:test';
import { startGateway } from '../harness.ts';
import { interview, submitJob } from '../jobs.ts';
import { operatorToken, webhookAdmin } from '../webhook-admin.ts';

test('without the setting, private addresses and http are refused', async () => {
  await using gateway = await startGateway({ env: { TRIVIUM_ADMIN_TOKEN: operatorToken } });
  const admin = webhookAdmin(() => gateway);
  const account = await admin.account();
  for (const url of [
    'http://hooks.example/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
    'https://gateway.internal/',
    'https://host/',
  ]) {
    const made = await admin.ask('POST', `/webhooks?account_id=${account}`, {
      url,
      events: ['job.failed'],
    });
    expect([url, made.status]).toEqual([url, 400]);
    const sent = await gateway.post(
      '/v1/transcriptions',
      { audio_url: interview },
      { 'x-trivium-webhook': url },
    );
    expect([url, sent.status]).toEqual([url, 400]);
  }
  await submitJob(gateway, {});
});
