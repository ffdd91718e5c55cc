// When a vendor fails an extraction as a whole, what is tried again, and bodies that are refused.
import { expect } from 'bun:test';
import { askExtract } from '../asking.ts';
import { extract_engines, extract_mounts } from '../engines.ts';
import { ErrorAnswer } from '../shapes.ts';
import { sharedSandbox } from '../shared-sandbox.ts';
import { scenario } from '../verifies.ts';

const pair = sharedSandbox();
const guide = 'https://gridlines.example/storage/solar-storage-guide';
const urls = [guide, 'https://pages.example/new-home'];

scenario(
  'a vendor that fails as a whole is a 502 with its own status and body, on every engine',
  ['errors.extract.502'],
  async () => {
    const { gateway, sandbox } = pair();
    for (const provider of extract_engines) {
      for (const fault of ['unauthorized', 'out_of_credit', 'server_error']) {
        // The reader of engine_e says a 500 of any page it cannot read.
        if (provider === 'engine_e' && fault === 'server_error') continue;
        await sandbox.clearFaults();
        await sandbox.fault(extract_mounts[provider], fault);
        const answer = await gateway.post('/v1/extract', { urls, provider });
        expect([provider, fault, answer.status]).toEqual([provider, fault, 502]);
        const { error } = ErrorAnswer.parse(answer.body);
        expect(error.type).toBe('provider_error');
        const { body, ...rest } = error.detail as { body: unknown; status: number };
        expect(rest).toMatchObject({ provider });
        expect(rest.status).toBeGreaterThanOrEqual(400);
        expect([provider, body === null]).toEqual([provider, false]);
      }
    }
  },
);

scenario('an answer that breaks off or is cut is a 502', ['errors.extract.502'], async () => {
  const { gateway, sandbox } = pair();
  for (const provider of extract_engines) {
    for (const fault of ['malformed', 'cut']) {
      await sandbox.clearFaults();
      await sandbox.fault(extract_mounts[provider], fault);
      const answer = await gateway.post('/v1/extract', { urls, provider });
      expect([provider, fault, answer.status]).toEqual([provider, fault, 502]);
    }
  }
});

scenario(
  'a 503 and a briefly limited rate are tried once more',
  ['calls.retry.extract'],
  async () => {
    const { gateway, sandbox } = pair();
    for (const provider of extract_engines) {
      const mount = extract_mounts[provider];
      for (const fault of ['unavailable', 'rate_limited']) {
        await sandbox.clearFaults();
        await sandbox.clearCalls();
        await sandbox.fault(mount, fault, { times: 1, retry_after: 0 });
        const { results } = await askExtract(gateway, { urls: [guide], provider });
        expect([provider, fault, results.length]).toEqual([provider, fault, 1]);
        expect([provider, (await sandbox.calls(mount)).length]).toEqual([provider, 2]);
      }
    }
  },
);

scenario(
  'a vendor that is late by more than five seconds is given up, and is not asked again',
  ['calls.timeout.extract', 'calls.retry.never-after-timeout'],
  async () => {
    const { gateway, sandbox } = pair();
    await sandbox.clearCalls();
    await sandbox.fault('/exa', 'slow', { delay_ms: 30_000 });
    const request = { urls: [guide], provider: 'engine_a', timeout_ms: 1000 };
    const answer = await gateway.post('/v1/extract', request);
    expect(answer.status).toBe(502);
    expect(ErrorAnswer.parse(answer.body).error.message).toContain('6000 ms');
    expect(await sandbox.calls('/exa')).toHaveLength(1);
  },
);

scenario(
  'one page that a one-page vendor loses to trouble of its own does not take the others with it',
  ['extract-response.partial-is-200'],
  async () => {
    const { gateway, sandbox } = pair();
    for (const provider of ['engine_e', 'engine_f', 'engine_g', 'engine_i'] as const) {
      await sandbox.clearFaults();
      await sandbox.fault(extract_mounts[provider], 'unauthorized', { times: 1 });
      const { results, failed } = await askExtract(gateway, { urls, provider });
      expect([provider, results.length, failed.length]).toEqual([provider, 1, 1]);
      expect([...results, ...failed].map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
    }
  },
);

scenario(
  'pages without content, from a vendor that says so in a 200, are failures with a reason',
  ['requests.empty-page'],
  async () => {
    const { gateway, sandbox } = pair();
    for (const provider of extract_engines) {
      await sandbox.clearFaults();
      await sandbox.fault(extract_mounts[provider], 'empty');
      const { results, failed } = await askExtract(gateway, { urls, provider });
      expect([provider, results, failed.map(({ url }) => url)]).toEqual([provider, [], urls]);
    }
  },
);

scenario(
  'no addresses, too many, strange ones and a body of three megabytes are refused',
  ['limits.extract.urls', 'requests.urls.http-only', 'choice.413.body-too-large'],
  async () => {
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
      expect(answer.status).toBe(status);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('invalid_request');
    }
    for (const mount of Object.values(extract_mounts))
      expect(await sandbox.calls(mount)).toEqual([]);
  },
);
