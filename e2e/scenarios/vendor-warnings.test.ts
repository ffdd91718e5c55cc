// The caller receives a vendor's warnings, also from a panel, and strict does not reject them.
import { expect, test } from 'bun:test';
import { startGateway } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

const found = { url: 'https://a.example/', title: 'A', excerpts: ['a'] };
const warnings = [
  { type: 'input_validation_warning', message: 'max_results reduced to 20', detail: null },
  { type: 'warning', message: 'Some sources were slow.' },
];
const expected = [
  {
    code: 'param_approximated',
    param: 'max_results',
    message: 'engine_b: max_results reduced to 20',
  },
  { code: 'results_post_filtered', message: 'engine_b: Some sources were slow.' },
];

test('the caller of search, fusion and extract receives the warnings of a vendor', async () => {
  await using upstream = startUpstream(({ path }) =>
    Response.json(
      path.endsWith('/extract')
        ? { extract_id: 'e', results: [{ ...found, full_content: 'a' }], errors: [], warnings }
        : { search_id: 's', results: [found], warnings },
    ),
  );
  await using gateway = await startGateway({
    env: {
      TRIVIUM_SANDBOX: 'off',
      PARALLEL_API_KEY: 'vendor-key-0123',
      PARALLEL_BASE_URL: upstream.url,
    },
  });
  const search = await gateway.post('/v1/search', {
    query: 'a',
    provider: 'engine_b',
    strict: true,
  });
  expect([search.status, (search.body as { warnings: unknown }).warnings]).toEqual([200, expected]);
  const options = { fusion: { providers: ['engine_a', 'engine_b'] } };
  const asked = { query: 'a', provider: 'fusion', provider_options: options };
  const fusion = await gateway.post('/v1/search', asked);
  expect(fusion.status).toBe(200);
  expect((fusion.body as { warnings: unknown[] }).warnings).toEqual(
    expect.arrayContaining(expected),
  );
  const pages = { urls: ['https://a.example/'], provider: 'engine_b' };
  const extract = await gateway.post('/v1/extract', pages);
  expect([
    extract.status,
    (extract.body as { warnings: { message: string }[] }).warnings.map(({ message }) => message),
  ]).toEqual([200, expected.map(({ message }) => message)]);
});
