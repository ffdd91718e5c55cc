// At start the gateway reads the callback settings from the vendors and prints the result.
import { test } from 'bun:test';
import { freePort } from '../free-port.ts';
import { shared, startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { runJob } from '../jobs.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { expect, proves } from '../proves.ts';
import { makeWebhook } from '../webhook.ts';

const sandbox = shared(startTestSandbox);

async function startAt(
  port: number,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Gateway> {
  const triviumPublicUrl = `http://127.0.0.1:${port}`;
  const own = { PORT: String(port), TRIVIUM_PUBLIC_URL: triviumPublicUrl, ...env };
  return startGateway({ sandbox: sandbox().url, env: own });
}

const webhookFor = (port: number) =>
  makeWebhook(sandbox().url, `http://127.0.0.1:${port}/callbacks/stt_c`);

test('the keys of Deepgram and the webhook that points here are found and used', async () => {
  const port = freePort();
  const { webhook_id, webhook_secret } = await webhookFor(port);
  await using gateway = await startAt(port, { ELEVENLABS_WEBHOOK_SECRET: webhook_secret });
  const output = gateway.printed();
  proves('settings.public-url', () => {
    expect(output).toContain("stt_b: callbacks must name one of its project's keys (1 found)");
    expect(output).toContain(`stt_c: its webhook ${webhook_id} points here and is used`);
  });
  await sandbox().fault('/deepgram', 'callback_forged', { times: 1 });
  for (const provider of ['stt_b', 'stt_c']) {
    await proves('surface.callbacks-guarded', async () =>
      expect((await runJob(gateway, { provider })).status).toBe('completed'),
    );
  }
  const submissions = await sandbox().calls('/elevenlabs');
  const [submission] = submissions.filter(({ path }) => path === '/v1/speech-to-text');
  expect(JSON.stringify(submission?.body)).toContain(webhook_id);
});

test('the output names the setting for each value that only the operator knows', async () => {
  const port = freePort();
  const { webhook_id } = await webhookFor(port);
  await using gateway = await startAt(port);
  proves('settings.public-url', () =>
    expect(gateway.printed()).toContain(
      `stt_c: its webhook ${webhook_id} points here, but its secret is shown only when it is ` +
        'created; set ELEVENLABS_WEBHOOK_SECRET to use it',
    ),
  );
  await using other = await startAt(freePort());
  expect(other.printed()).toContain('stt_c: no webhook points here; create one for');
  await sandbox().fault('/deepgram', 'unauthorized', { times: 1 });
  await using refused = await startAt(freePort());
  expect(refused.printed()).toContain('its keys could not be listed (status 401)');
  expect(refused.printed()).toContain('set DEEPGRAM_KEY_ID for stronger proof');
});
