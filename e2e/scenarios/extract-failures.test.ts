// Extractions that fail as a whole, retries, and refused bodies.
import { test } from 'bun:test';
import { askExtract } from '../asking.ts';
import { extractEngines, extractMounts } from '../engines.ts';
import { ErrorAnswer } from '../shapes.ts';
import { sharedSandbox } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
const guide = 'https://gridlines.example/storage/solar-storage-guide';
const urls = [guide, 'https://pages.example/new-home'];

test('a vendor that fails as a whole gives a 502 with its status and body', async () => {
  const { gateway, sandbox } = pair();
  for (const provider of extractEngines) {
    for (const fault of ['unauthorized', 'out_of_credit', 'server_error']) {
      // The reader of engine_e answers 500 for any page it cannot read.
      if (provider === 'engine_e' && fault === 'server_error') continue;
      await sandbox.clearFaults();
      await sandbox.fault(extractMounts[provider], fault);
      const answer = await gateway.post('/v1/extract', { urls, provider });
      proves('errors.extract.502', () => {
        expect([provider, fault, answer.status]).toEqual([provider, fault, 502]);
        const { error } = ErrorAnswer.parse(answer.body);
        expect(error.type).toBe('provider_error');
        const { body, ...rest } = error.detail as { body: unknown; status: number };
        expect(rest).toMatchObject({ provider });
        expect(rest.status).toBeGreaterThanOrEqual(400);
        expect([provider, body === null]).toEqual([provider, false]);
      });
    }
  }
});

test('an incomplete answer or a closed connection gives a 502', async () => {
  const { gateway, sandbox } = pair();
  for (const provider of extractEngines) {
    for (const fault of ['malformed', 'cut']) {
      await sandbox.clearFaults();
      await sandbox.fault(extractMounts[provider], fault);
      const answer = await gateway.post('/v1/extract', { urls, provider });
      proves('errors.extract.502', () =>
        expect([provider, fault, answer.status]).toEqual([provider, fault, 502]),
      );
    }
  }
});

test('a 503 and a short rate limit are retried once', async () => {
  const { gateway, sandbox } = pair();
  for (const provider of extractEngines) {
    const mount = extractMounts[provider];
    for (const fault of ['unavailable', 'rate_limited']) {
      await sandbox.clearFaults();
      await sandbox.clearCalls();
      await sandbox.fault(mount, fault, { times: 1, retry_after: 0 });
      const { results } = await askExtract(gateway, { urls: [guide], provider });
      await proves('calls.retry.extract', async () => {
        expect([provider, fault, results.length]).toEqual([provider, fault, 1]);
        expect([provider, (await sandbox.calls(mount)).length]).toEqual([provider, 2]);
      });
    }
  }
});

test('a vendor more than five seconds late gives a 502, and is not called again', async () => {
  const { gateway, sandbox } = pair();
  await sandbox.clearCalls();
  await sandbox.fault('/exa', 'slow', { delay_ms: 30_000 });
  const request = { urls: [guide], provider: 'engine_a', timeout_ms: 1000 };
  const answer = await gateway.post('/v1/extract', request);
  proves('calls.timeout.extract', () => {
    expect(answer.status).toBe(502);
    expect(ErrorAnswer.parse(answer.body).error.message).toContain('6000 ms');
  });
  await proves('calls.retry.never-after-timeout', async () =>
    expect(await sandbox.calls('/exa')).toHaveLength(1),
  );
});

test('one page that a one-page vendor fails to fetch does not fail the other pages', async () => {
  const { gateway, sandbox } = pair();
  for (const provider of ['engine_e', 'engine_f', 'engine_g', 'engine_i'] as const) {
    await sandbox.clearFaults();
    await sandbox.fault(extractMounts[provider], 'unauthorized', { times: 1 });
    const { results, failed } = await askExtract(gateway, { urls, provider });
    proves('extract-response.partial-is-200', () => {
      expect([provider, results.length, failed.length]).toEqual([provider, 1, 1]);
      expect([...results, ...failed].map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
    });
  }
});

test('pages that a vendor returns without content are failures with a reason', async () => {
  const { gateway, sandbox } = pair();
  for (const provider of extractEngines) {
    await sandbox.clearFaults();
    await sandbox.fault(extractMounts[provider], 'empty');
    const { results, failed } = await askExtract(gateway, { urls, provider });
    proves('requests.empty-page', () =>
      expect([provider, results, failed.map(({ url }) => url)]).toEqual([provider, [], urls]),
    );
  }
});

test('no URL, too many, invalid ones and a body of three megabytes are refused', async () => {
  const { gateway, sandbox } = pair();
  await sandbox.clearCalls();
  const refused: [number, unknown][] = [
    [400, { urls: [] }],
    [400, { urls: Array.from({ length: 21 }, (_, index) => `${guide}?${index}`) }],
    [400, { urls: ['storage/solar'] }],
    [400, { urls: ['//gridlines.example/'] }],
    [400, { urls: ['file:///etc/passwd'] }],
    [400, { urls: ['javascript:alert(1)'] }],
    [400, { urls: ['https://name:word@gridlines.example/'] }],
    [400, { urls: [guide, null] }],
    [413, { urls: [`${guide}?${'x'.repeat(3 * 1024 * 1024)}`] }],
  ];
  for (const [status, request] of refused) {
    const answer = await gateway.post('/v1/extract', request);
    proves(['limits.extract.urls', 'requests.urls.http-only', 'choice.413.body-too-large'], () => {
      expect(answer.status).toBe(status);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('invalid_request');
    });
  }
  for (const mount of Object.values(extractMounts)) expect(await sandbox.calls(mount)).toEqual([]);
});
