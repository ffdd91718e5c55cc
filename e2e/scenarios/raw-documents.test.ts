// GET /v1/jobs/{id}/raw: the provider's document as received, who may read it, how it counts, and
// how an incomplete transcript is marked.
import { test } from 'bun:test';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { runJob } from '../jobs.ts';
import { asOperator, makeAccount, operatorToken } from '../billing/small-account.ts';
import { expect, proves } from '../proves.ts';
import { startSandboxProxy } from '../sandbox-proxy.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { vendorSettings } from '../vendor-settings.ts';

const options: Record<string, object> = {
  stt_a: { auto_chapters: true, sentiment_analysis: true },
  stt_b: { summarize: 'v2', multichannel: true },
  stt_c: { additional_formats: [{ format: 'txt' }] },
};

test('the document of a job is what the provider sent, byte for byte, and only its account reads it', async () => {
  await using sandbox = await startTestSandbox();
  const sent: string[] = [];
  await using proxy = startSandboxProxy(sandbox.url, async (answer) => {
    const text = await answer.text();
    // In a form that no serializer of ours would write.
    const odd = text.replace(/^\{/, '{ "vendors_own" : 1.50 ,\t');
    sent.push(odd);
    const headers = { 'content-type': 'application/json' };
    return new Response(odd, { status: answer.status, headers });
  });
  const env = {
    TRIVIUM_SANDBOX: 'off',
    TRIVIUM_ADMIN_TOKEN: operatorToken,
    ...vendorSettings(proxy.url),
  };
  await using gateway = await startGateway({ env });
  const stranger = (await makeAccount(gateway, 1)).on(gateway);
  const path = '/admin/v1/accounts/acct_default/keys';
  const made = await gateway.post(path, { name: 'sibling' }, asOperator);
  const sibling = { authorization: `Bearer ${(made.body as { key: string }).key}` };
  const before = await storedBytes(gateway);
  let total = 0;
  for (const provider of ['stt_a', 'stt_b', 'stt_c']) {
    const body = { provider, provider_options: { [provider]: options[provider] } };
    const { id } = await runJob(gateway, body);
    const raw = await gateway.get(`/v1/jobs/${id}/raw`);
    proves('jobs.raw.as-received', () => {
      expect([provider, raw.status]).toEqual([provider, 200]);
      expect(sent).toContain(raw.text);
      expect(raw.text).toStartWith('{ "vendors_own" : 1.50 ,\t');
    });
    expect(raw.headers.get('content-type')).toBe('application/json');
    expect(raw.headers.get('x-trivium-ends-early')).toBeNull();
    await proves('money.account.jobs-shared', async () =>
      expect((await gateway.get(`/v1/jobs/${id}`, sibling)).status).toBe(200),
    );
    await proves(['jobs.raw.own-account', 'money.account.jobs-hidden'], async () => {
      for (const hidden of [`/v1/jobs/${id}`, `/v1/jobs/${id}/raw`]) {
        const { status, body } = await stranger.get(hidden);
        expect([status, body]).toMatchObject([404, { error: { type: 'not_found' } }]);
      }
    });
    total += raw.text.length;
    const listed = await gateway.get(`/admin/v1/jobs?id=${id}`, asOperator);
    expect(listed.body).toMatchObject({
      jobs: [{ has_raw: true, unread_words: 0, ends_early: null }],
    });
  }
  await proves('jobs.raw.counted', async () =>
    expect((await storedBytes(gateway)) - before).toBeGreaterThan(total),
  );
  const { id } = await runJob(gateway, { audio_url: 'https://recordings.example/notes.txt' });
  const failed = await gateway.get(`/v1/jobs/${id}/raw`);
  expect([failed.status, failed.text]).toEqual([404, expect.stringContaining('it failed')]);
  expect((await gateway.get('/v1/jobs/job_x/raw')).status).toBe(400);
});

test('a transcript that ends early or has unreadable words is completed and marked', async () => {
  await using sandbox = await startTestSandbox();
  await using proxy = startSandboxProxy(sandbox.url, async (answer, { method, url }) => {
    const isPoll = method === 'GET' && url.includes('/assemblyai/v2/transcript/');
    if (!isPoll || !answer.ok) return answer;
    const transcript = (await answer.json()) as { words: object[] | null };
    const words = [{ text: 'odd', start: null }, null, ...(transcript.words ?? [])];
    return Response.json({ ...transcript, words, audio_duration: 2700 });
  });
  const env = { TRIVIUM_SANDBOX: 'off', ...vendorSettings(proxy.url) };
  await using gateway = await startGateway({ env });
  const job = await runJob(gateway, { provider: 'stt_a' });
  expect(job.status).toBe('completed');
  expect(job.result?.text).toStartWith('Good morning');
  const { headers } = await gateway.get(`/v1/jobs/${job.id}/raw`);
  proves('jobs.raw.marked', () => {
    expect(headers.get('x-trivium-unread-words')).toBe('2');
    expect(headers.get('x-trivium-ends-early')).toMatch(/^[\d.]+ of 2700 s$/);
  });
  const { text } = await gateway.get('/metrics');
  expect(text).toContain('trivium_transcripts_ended_early_total{provider="stt_a"} 1');
  expect(text).toContain('trivium_transcript_unread_words_total{provider="stt_a"} 2');
});

test('ten hours of speech are one transcript and one document, also by callback', async () => {
  await using gateway = await startGateway();
  const audioUrl = 'https://recordings.example/lecture.wav';
  const { id, result } = await runJob(gateway, { provider: 'stt_b', audio_url: audioUrl });
  const words = result?.words?.length ?? 0;
  proves('jobs.read-200', () => expect(words).toBeGreaterThan(80_000));
  expect(result?.duration_seconds).toBe(36_000);
  const { text } = await gateway.get(`/v1/jobs/${id}/raw`);
  expect(text.split('"start"').length - 1).toBe(words);
  JSON.parse(text);
});

async function storedBytes(gateway: Gateway): Promise<number> {
  const { body } = await gateway.get('/v1/usage?by=tool');
  return (body as { stored: { bytes: number } }).stored.bytes;
}
