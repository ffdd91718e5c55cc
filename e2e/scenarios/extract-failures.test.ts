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
    for (const fault of ['malformed', 'cut', 'unauthorized', 'out_of_credit', 'server_error']) {
      // The reader of engine_e answers 500 for any page it cannot read.
      if (provider === 'engine_e' && fault === 'server_error') continue;
      await sandbox.clearFaults();
      await sandbox.fault(extractMounts[provider], fault);
      const answer = await gateway.post('/v1/extract', { urls, provider });
      proves('errors.extract.502', () => {
        expect([provider, fault, answer.status]).toEqual([provider, fault, 502]);
        const { error } = ErrorAnswer.parse(answer.body);
        expect(error.type).toBe('provider_error');
        if (fault === 'malformed' || fault === 'cut') return;
        const { body, ...rest } = error.detail as { body: unknown; status: number };
        expect(rest).toMatchObject({ provider });
        expect(rest.status).toBeGreaterThanOrEqual(400);
        expect([provider, body === null]).toEqual([provider, false]);
      });
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
