// The caller of an extraction receives a vendor's warnings, and strict does not reject them. Those of a
// search are in the fixtures of engine_b, and those of a panel in server/test/services/fuse.test.ts.
import { expect, test } from 'bun:test';
import { startGateway } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

test('the caller of an extraction receives the warnings of a vendor', async () => {
  const url = 'https://a.example/';
  const warnings = [{ type: 'warning', message: 'Some sources were slow.' }];
  await using upstream = startUpstream(() =>
    Response.json({
      extract_id: 'e',
      results: [{ url, title: 'A', excerpts: ['a'], full_content: 'a' }],
      ...{ errors: [], warnings },
    }),
  );
  const vendor = { PARALLEL_API_KEY: 'vendor-key-0123', PARALLEL_BASE_URL: upstream.url };
  await using gateway = await startGateway({ env: { TRIVIUM_SANDBOX: 'off', ...vendor } });
  const asked = { urls: [url], provider: 'engine_b', strict: true };
  const { status, body } = await gateway.post('/v1/extract', asked);
  expect([status, (body as { warnings: { message: string }[] }).warnings]).toMatchObject([
    200,
    [{ message: 'engine_b: Some sources were slow.' }],
  ]);
});
