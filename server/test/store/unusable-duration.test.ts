// A vendor that reports no usable duration, through a whole gateway: the job is charged what its
// result states, and the operator learns of it.
import { expect, test } from 'bun:test';
import { Job } from '@trivium/contract';
import { waitFor } from '../../../e2e/wait-for.ts';
import { engines } from './engines.ts';
import { balance, openGatewayOnStore } from './gateway-on-store.ts';

const word = { word: 'hi', start: 0, end: 100, confidence: 1 };

test.each(engines)('on $name', async (engine) => {
  const documents = [
    { metadata: {}, words: [word] },
    { metadata: { duration: 0 }, words: [] },
    { metadata: { duration: -1, channels: 9 }, words: [] },
  ];
  let asked = 0;
  const deepgram = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      const { metadata, words } = documents[asked++ % documents.length] ?? {};
      const alternatives = [{ transcript: words?.length ? 'hi' : '', confidence: 1, words }];
      return Response.json({ metadata, results: { channels: [{ alternatives }] } });
    },
  });
  await using on = await openGatewayOnStore(engine, '5', {
    DEEPGRAM_API_KEY: 'key',
    DEEPGRAM_BASE_URL: deepgram.url.origin,
  });
  const { gateway, store } = on;
  const webhook = { url: 'https://example.org/hook', events: ['provider.unusable_duration'] };
  const made = await gateway.admin('POST', '/webhooks', webhook);
  expect(made.status).toBe(201);
  let before = (await balance(gateway)).balance_usd;
  const body = { audio_url: 'https://example.org/a.mp3', provider: 'stt_b' };
  for (const { words } of documents) {
    const held = await gateway.ask('POST', '/v1/transcriptions', { body });
    const { id } = (await held.json()) as { id: string };
    const holdUsd = before - (await balance(gateway)).balance_usd;
    const job = await waitFor(
      async () => Job.parse(await (await gateway.ask('GET', `/v1/jobs/${id}`)).json()),
      { what: 'the job ends', until: ({ status }) => status === 'completed' },
    );
    const after = (await balance(gateway)).balance_usd;
    const cost = job.result?.usage?.cost_usd ?? 0;
    expect(cost).toBeGreaterThan(0);
    expect(before - after).toBeCloseTo(cost, 6);
    if (words.length === 0 && holdUsd > 0) expect(cost).toBeCloseTo(holdUsd, 6);
    before = after;
  }
  const rows = await store.database.run(
    'select event, payload from deliveries order by created_at',
  );
  const charged = rows.map(
    ({ payload }) => (JSON.parse(String(payload)) as object)['charged_to' as never],
  );
  expect(charged).toEqual(['last_word', 'hold', 'hold'] as never);
  expect(await gateway.metrics()).toContain(
    'trivium_transcripts_without_duration_total{provider="stt_b"} 3',
  );
  await deepgram.stop(true);
});
