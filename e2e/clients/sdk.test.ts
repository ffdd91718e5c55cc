// The SDK against a real gateway and sandbox: answers match the declared types.
import { expect, test } from 'bun:test';
import { ApiError, createClient } from '@trivium/sdk';
import type { Warning } from '@trivium/sdk';
import { sharedGateway } from '../harness.ts';

const gateway = sharedGateway();
const client = (more = {}) => createClient({ url: gateway().url, api_key: gateway().key, ...more });

test('a search through the SDK returns pages and their cost', async () => {
  const answer = await client().search({ query: 'solar energy storage', max_results: 3 });
  expect(answer.id).toStartWith('srch_');
  expect(answer.results.length).toBeGreaterThan(0);
  expect(answer.usage.cost_usd).toBeGreaterThan(0);
});

test('a page found by a search can be extracted', async () => {
  const { results } = await client().search({ query: 'solar energy storage', max_results: 1 });
  const url = results[0]?.url ?? '';
  const { results: pages, failed } = await client().extract({ urls: [url] });
  expect([...pages.map((page) => page.url), ...failed.map((page) => page.url)]).toEqual([url]);
});

test('on_warning receives a parameter that was adjusted', async () => {
  const received: Warning[] = [];
  const onWarning = (warning: Warning) => void received.push(warning);
  await client({ on_warning: onWarning }).search({
    query: 'solar',
    provider: 'engine_a',
    offset: 5,
  });
  expect(received.map(({ param }) => param)).toContain('offset');
});

test('a refusal is thrown with the type, the message and the detail of the envelope', async () => {
  const refused = await client()
    .search({ query: '' })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ type: 'invalid_request', status: 400 });
  expect((refused as ApiError).issues.map(({ path }) => path)).toEqual(['query']);
});

test('an unknown key is reported as unauthorized', async () => {
  const other = client({ api_key: `sk_live_${'x'.repeat(43)}` });
  const refused = await other.providers().catch((error: unknown) => error);
  expect(refused).toMatchObject({ type: 'unauthorized', status: 401 });
});

test('the providers of the deployment are listed', async () => {
  const { providers } = await client().providers();
  expect(providers.map(({ id }) => id)).toContain('engine_a');
});

test('transcribes a recording and reports each state', async () => {
  const { transcribe, jobs } = client();
  const audioUrl = 'https://recordings.example/interview.wav';
  const { id, status } = await transcribe({ audio_url: audioUrl, diarize: true });
  expect(status).toBe('queued');
  const seen: string[] = [];
  const { result } = await jobs.wait(id, {
    poll_ms: 50,
    on_progress: (job) => void seen.push(job.status),
  });
  expect(result.text.length).toBeGreaterThan(0);
  expect(result.words?.[0]?.speaker_id).toBe('speaker_0');
  expect(seen.at(-1)).toBe('completed');
});

test('a call repeated under its key returns the first answer and is charged once', async () => {
  const { search, balance } = client();
  const before = (await balance()).balance_usd;
  const first = await search({ query: 'wind' }, { idempotency_key: 'sdk-once' });
  const again = await search({ query: 'wind' }, { idempotency_key: 'sdk-once' });
  expect(again).toEqual(first);
  expect((await balance()).balance_usd).toBeCloseTo(before - first.usage.cost_usd, 6);
});

test('concurrent calls under one key wait for the first and share its answer', async () => {
  const { search } = client();
  const ask = () => search({ query: 'tidal' }, { idempotency_key: 'sdk-race' });
  const [one, other] = await Promise.all([ask(), ask()]);
  expect(other).toEqual(one);
});
