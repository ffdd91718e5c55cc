// The tour with the client of @hey-api/openapi-ts.
import { client } from './client/client.gen';
import * as trivium from './client';

const { TRIVIUM_URL: baseUrl = '', TRIVIUM_API_KEY: key, TRIVIUM_ADMIN_TOKEN: token } = process.env;
const audioUrl = process.env['TOUR_AUDIO_URL'] ?? '';
client.setConfig({ baseUrl, auth: () => key });

const { data: found } = await trivium.searchWeb({ body: { query: 'solar energy' } });
const url = found?.results[0]?.url ?? '';
const { data: pages } = await trivium.extractPages({ body: { urls: [url] } });
const { data: accepted } = await trivium.createTranscription({ body: { audio_url: audioUrl } });
const { data: job } = await trivium.readJob({ path: { id: accepted?.id ?? '' } });
const { data: balance } = await trivium.readBalance();
const { error } = await trivium.searchWeb({
  body: { query: 'x', provider: 'engine_a', offset: 10, strict: true },
});
const { data: list } = await trivium.listAccounts({ auth: () => token });
const seen = [
  pages?.results[0]?.url === url,
  job?.id === accepted?.id && job?.tool === 'transcription',
  (balance?.balance_usd ?? 0) > 0,
  error?.error.type === 'invalid_request',
  (list?.accounts.length ?? 0) > 0,
];
console.log(`toured ${seen.join(' ')}`);
