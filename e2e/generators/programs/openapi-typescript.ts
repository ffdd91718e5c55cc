// The tour with the types of openapi-typescript.
import createClient from 'openapi-fetch';
import type { paths } from './client/schema';

const { TRIVIUM_URL: baseUrl = '', TRIVIUM_API_KEY: key, TRIVIUM_ADMIN_TOKEN: token } = process.env;
const audioUrl = process.env['TOUR_AUDIO_URL'] ?? '';
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

const { data: found } = await client.POST('/v1/search', { body: { query: 'solar energy' } });
const url = found?.results[0]?.url ?? '';
const { data: pages } = await client.POST('/v1/extract', { body: { urls: [url] } });
const { data: accepted } = await client.POST('/v1/transcriptions', {
  body: { audio_url: audioUrl },
});
const { data: job } = await client.GET('/v1/jobs/{id}', {
  params: { path: { id: accepted?.id ?? '' } },
});
const { data: balance } = await client.GET('/v1/balance');
const { error } = await client.POST('/v1/search', {
  body: { query: 'x', provider: 'engine_a', offset: 10, strict: true },
});
const { data: list } = await client.GET('/admin/v1/accounts', {
  params: { query: {} },
  headers: { authorization: `Bearer ${token}` },
});
const seen = [
  pages?.results[0]?.url === url,
  job?.id === accepted?.id && job?.tool === 'transcription',
  (balance?.balance_usd ?? 0) > 0,
  error?.error.type === 'invalid_request',
  (list?.accounts.length ?? 0) > 0,
];
console.log(`toured ${seen.join(' ')}`);
