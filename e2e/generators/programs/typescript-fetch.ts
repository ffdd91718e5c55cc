// The tour with the typescript-fetch client of openapi-generator.
import * as trivium from './client';

const { TRIVIUM_URL: basePath = '', TRIVIUM_API_KEY, TRIVIUM_ADMIN_TOKEN } = process.env;
const audioUrl = process.env['TOUR_AUDIO_URL'] ?? '';
const caller = new trivium.Configuration({ basePath, accessToken: TRIVIUM_API_KEY ?? '' });
const operator = new trivium.Configuration({ basePath, accessToken: TRIVIUM_ADMIN_TOKEN ?? '' });
const search = new trivium.SearchApi(caller);
const jobs = new trivium.TranscriptionApi(caller);

const found = await search.searchWeb({ searchRequest: { query: 'solar energy' } });
const url = found.results[0]?.url ?? '';
const pages = await new trivium.ExtractApi(caller).extractPages({
  extractRequest: { urls: [url] },
});
const accepted = await jobs.createTranscription({ transcriptionRequest: { audioUrl } });
const job = await jobs.readJob({ id: accepted.id });
const balance = await new trivium.AccountApi(caller).readBalance();
const refused = await search
  .searchWeb({ searchRequest: { query: 'x', provider: 'engine_a', offset: 10, strict: true } })
  .then(() => undefined)
  .catch((error: unknown) => (error instanceof trivium.ResponseError ? error.response : undefined));
const error = trivium.ErrorEnvelopeFromJSON(await refused?.json());
const list = await new trivium.AdminApi(operator).listAccounts();
const seen = [
  pages.results[0]?.url === url,
  job.id === accepted.id && job.tool === 'transcription',
  balance.balanceUsd > 0,
  error.error.type === 'invalid_request',
  list.accounts.length > 0,
];
console.log(`toured ${seen.join(' ')}`);
