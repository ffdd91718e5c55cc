// One cheap call for each kind of provider, and what its outcome says of the provider.
import { expect, test } from 'bun:test';
import type { ProviderDescription } from '@trivium/contract';
import { createClient } from '../client.ts';
import { envelope, found, job_id, jobIn, startStandIn } from '../stand-in.ts';
import { tryProvider } from './try-provider.ts';

const accepted = () =>
  Response.json({ ...found, id: job_id, status: 'queued', warnings: [] }, { status: 202 });

async function attempt(answers: Parameters<typeof startStandIn>[0], tools: object, id = 'stt_a') {
  await using gateway = startStandIn(answers);
  const client = createClient({ url: gateway.url, api_key: 'sk_live_test' });
  const provider = { id, name: 'X', state: 'configured', tools } as ProviderDescription;
  const finding = await tryProvider(client, provider, new AbortController().signal);
  return { ...finding, asked: gateway.asked };
}

test('who searches is asked for one result, whatever else it can do', async () => {
  const tools = { search: {}, extract: {} };
  const { state, asked } = await attempt([() => Response.json(found)], tools, 'engine_a');
  expect(state).toBe('ok');
  expect(asked.map(({ path, body }) => [path, body])).toEqual([
    ['/v1/search', { query: 'weather', provider: 'engine_a', max_results: 1 }],
  ]);
});

test('who only extracts is asked for one page', async () => {
  const tools = { extract: {} };
  const { state, asked } = await attempt([() => Response.json(found)], tools, 'engine_i');
  expect(state).toBe('ok');
  expect(asked[0]?.body).toEqual({ urls: ['https://example.com/'], provider: 'engine_i' });
});

test('who transcribes is well when it misses the recording that is not there', async () => {
  const answers = [accepted, () => Response.json(jobIn('failed'))];
  const { state, found: told } = await attempt(answers, { transcription: {} });
  expect([state, told]).toEqual(['ok', expect.stringContaining('not there')]);
});

test('who refuses a transcription for another reason is not well', async () => {
  const refused = { type: 'provider_error', message: 'The key is not valid.' };
  const answers = [accepted, () => Response.json({ ...jobIn('failed'), error: refused })];
  const { state, found: told, advice } = await attempt(answers, { transcription: {} });
  expect([state, told]).toEqual(['fault', expect.stringContaining('The key is not valid.')]);
  expect(advice).toContain('credential');
});

test('who fails to answer is not well, and what it said is told', async () => {
  const failed = () => envelope(502, { type: 'provider_error', message: 'It is down.' });
  const { state, found: told } = await attempt([failed], { search: {} }, 'engine_a');
  expect([state, told]).toEqual(['fault', 'provider_error: It is down.']);
});
