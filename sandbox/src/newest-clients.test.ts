// What the vendors' newest clients send is taken, and what their servers refuse is refused.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startSandbox } from './index.ts';
import type { Sandbox } from './index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const keys = { 'x-api-key': 'any', 'xi-api-key': 'any', authorization: 'Token any' };
const post = (path: string, body: object) =>
  fetch(sandbox.url + path, {
    method: 'POST',
    headers: { ...keys, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const status = async (path: string, body: object) => (await post(path, body)).status;
const audio = 'https://recordings.example/silence.wav';

test('You.com calls Japanese JA, and takes an age of null', async () => {
  expect(await status('/you/v1/search', { query: 'battery', language: 'JA' })).toBe(200);
  expect(await status('/you/v1/search', { query: 'battery', language: 'JP' })).toBe(422);
  const urls = ['https://pages.example/new-home'];
  expect(await status('/you/v1/contents', { urls, formats: ['markdown'], max_age: null })).toBe(
    200,
  );
});

test('You.com refuses a range that ends before it begins', async () => {
  const range = (freshness: string) => status('/you/v1/search', { query: 'battery', freshness });
  expect(await range('2026-11-16to2026-11-16')).toBe(200);
  expect(await range('2026-11-17to2026-11-16')).toBe(422);
});

test('Valyu takes image links, and only dotted hosts or datasets as sources', async () => {
  const search = (more: object) => status('/valyu/search', { query: 'battery', ...more });
  expect(await search({ include_image_links: true })).toBe(200);
  for (const source of ['example.org', 'example.org/path', 'valyu/valyu-arxiv', 'web']) {
    expect([source, await search({ included_sources: [source] })]).toEqual([source, 200]);
  }
  for (const source of ['gov', '.gov', 'münchen.example', '*.example.org', '']) {
    expect([source, await search({ excluded_sources: [source] })]).toEqual([source, 400]);
  }
});

test('ElevenLabs takes a list that is the word null, and terms of 50 characters', async () => {
  const convert = async (fields: Record<string, string>) => {
    const body = new FormData();
    const all = { model_id: 'scribe_v2', source_url: audio, ...fields };
    for (const [name, value] of Object.entries(all)) body.append(name, value);
    const init = { method: 'POST', headers: keys, body };
    return (await fetch(`${sandbox.url}/elevenlabs/v1/speech-to-text`, init)).status;
  };
  expect(await convert({ entity_detection: 'null', keyterms: 'x'.repeat(50) })).toBe(200);
  expect(await convert({ keyterms: 'x'.repeat(51) })).toBe(400);
  expect(await convert({ keyterms: 'a b c d e f' })).toBe(400);
});

test('AssemblyAI takes the languages of its own list alone', async () => {
  const submit = (language_code: string) =>
    status('/assemblyai/v2/transcript', { audio_url: audio, language_code });
  expect([await submit('no'), await submit('tl'), await submit('en_uk')]).toEqual([200, 200, 200]);
  expect([await submit('nb'), await submit('fil'), await submit('eng')]).toEqual([400, 400, 400]);
});

test('Deepgram refuses a language that the model lacks in plain text', async () => {
  const listen = (model: string, language: string) =>
    post(`/deepgram/v1/listen?model=${model}&language=${language}`, { url: audio });
  const refused = await listen('nova-3', 'en-GB');
  expect(refused.status).toBe(400);
  expect(await refused.text()).toBe('No such model/language/tier combination found.');
  expect((await listen('nova-3', 'fr-CA')).status).toBe(200);
  expect((await listen('nova-2', 'en-GB')).status).toBe(200);
});
