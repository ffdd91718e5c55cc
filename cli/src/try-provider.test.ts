// One cheap call for each kind of provider, and how its result is read.
import { expect, test } from 'bun:test';
import type { ProviderDescription } from '@trivium/contract';
import { createClient } from '@trivium/sdk';
import { envelope, found, jobId, jobIn, startStubGateway } from '@trivium/sdk/stub-gateway';
import { tryProvider } from './try-provider.ts';

const accepted = () =>
  Response.json({ ...found, id: jobId, status: 'queued', warnings: [] }, { status: 202 });

async function attempt(
  answers: Parameters<typeof startStubGateway>[0],
  tools: object,
  id = 'stt_a',
) {
  await using gateway = startStubGateway(answers);
  const client = createClient({ url: gateway.url, api_key: 'sk_live_test' });
  const provider = { id, name: 'X', state: 'configured', tools } as ProviderDescription;
  const finding = await tryProvider(client, provider, new AbortController().signal);
  return { ...finding, requests: gateway.requests };
}

test('a search provider is called for one result, even if it has other tools', async () => {
  const tools = { search: {}, extract: {} };
  const { state, requests } = await attempt([() => Response.json(found)], tools, 'engine_a');
  expect(state).toBe('ok');
  expect(requests.map(({ path, body }) => [path, body])).toEqual([
    ['/v1/search', { query: 'weather', provider: 'engine_a', max_results: 1 }],
  ]);
});

test('a provider that only extracts is called for one page', async () => {
  const tools = { extract: {} };
  const { state, requests } = await attempt(
    [() => Response.json({ ...found, failed: [] })],
    tools,
    'engine_i',
  );
  expect(state).toBe('ok');
  expect(requests[0]?.body).toEqual({ urls: ['https://example.com/'], provider: 'engine_i' });
});

test('a transcriber works if it reports that the recording does not exist', async () => {
  const answers = [accepted, () => Response.json(jobIn('failed'))];
  const { state, found } = await attempt(answers, { transcription: {} });
  expect([state, found]).toEqual(['ok', expect.stringContaining('missing test recording')]);
});

test('a transcriber that refuses for another reason is reported as faulty', async () => {
  const refused = { type: 'provider_error', message: 'The key is not valid.' };
  const answers = [accepted, () => Response.json({ ...jobIn('failed'), error: refused })];
  const { state, found, advice } = await attempt(answers, { transcription: {} });
  expect([state, found]).toEqual(['fault', expect.stringContaining('The key is not valid.')]);
  expect(advice).toContain('credential');
});

test('a failing provider is reported as faulty with its message', async () => {
  const failed = () => envelope(502, { type: 'provider_error', message: 'It is down.' });
  const { state, found } = await attempt([failed], { search: {} }, 'engine_a');
  expect([state, found]).toEqual(['fault', 'provider_error: It is down.']);
});
