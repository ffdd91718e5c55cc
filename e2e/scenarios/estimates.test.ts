// Estimates: what a request may cost, without a call to a provider, a hold or a charge.
import { describe, test } from 'bun:test';
import { ErrorEnvelope, Estimate } from '@trivium/contract';
import { sharedGateway } from '../harness.ts';
import { expect, proves } from '../proves.ts';
import { makeWav, upload } from '../uploads/recordings.ts';

const gateway = sharedGateway();

describe('an estimate', () => {
  test.each([
    ['search', { query: 'solar', provider: 'engine_a' }],
    ['search', { query: 'solar', provider: 'fusion' }],
    ['extract', { urls: ['https://example.org/a', 'https://example.org/b'], provider: 'engine_a' }],
  ])('of %s %j is what the request holds, and costs nothing', async (tool, body) => {
    const before = await balance();
    const estimate = Estimate.parse((await post(`/v1/estimates/${tool}`, body)).body);
    expect(estimate.tool).toBe(tool as Estimate['tool']);
    expect(estimate.max_cost_usd).toBeGreaterThan(0);
    await proves('estimates.free', async () => {
      expect(estimate.balance_usd).toBe(before);
      expect(await balance()).toBe(before);
    });
    // One micro-dollar less is refused, and the amount itself is not.
    const limit = (usd: number) => ({ 'x-max-cost-usd': usd.toFixed(6) });
    const low = await post(`/v1/${tool}`, body, limit(estimate.max_cost_usd - 0.000001));
    const enough = await post(`/v1/${tool}`, body, limit(estimate.max_cost_usd));
    const spent = before - (await balance());
    proves('estimates.maximum', () => {
      expect([low.status, enough.status]).toEqual([402, 200]);
      expect(spent).toBeLessThanOrEqual(estimate.max_cost_usd + 1e-9);
    });
    const again = Estimate.parse((await post(`/v1/estimates/${tool}`, body)).body);
    expect(again.average_of).toBe(estimate.average_of + (spent > 0 ? 1 : 0));
    expect(again.provider).toBe(String(body.provider));
  });

  test('of a transcription names the price of an hour', async () => {
    const body = { audio_url: 'https://recordings.example/a.mp3', provider: 'stt_a' };
    const answer = await post('/v1/estimates/transcription', body);
    const estimate = Estimate.parse(answer.body);
    proves('estimates.transcription-hour', () => {
      expect(estimate).toMatchObject({ provider: 'stt_a', calls: ['stt_a'], average_of: 0 });
      expect(estimate.hour_cost_usd).toBeGreaterThan(0);
      expect(estimate.max_cost_usd).toBeGreaterThan(0);
    });
  });

  test('of an uploaded recording accepts the address of the upload', async () => {
    const { audio_url } = await upload(gateway(), makeWav(1044));
    const answer = await post('/v1/estimates/transcription', { audio_url, provider: 'stt_b' });
    expect([answer.status, Estimate.parse(answer.body).provider]).toEqual([200, 'stt_b']);
    const forged = await post('/v1/estimates/transcription', { audio_url: `${audio_url}0` });
    expect(forged.status).toBe(400);
  });

  test.each([
    ['search', {}, 'query'],
    ['search', { query: 'x', max_results: -1 }, 'max_results'],
    ['search', { query: 'x', ['__proto__x']: 1 }, '__proto__x'],
    ['extract', { urls: [] }, 'urls'],
    ['transcription', { audio_url: 'http://example.org/a.mp3' }, 'audio_url'],
  ])('of the invalid %s %j gives a 400 that names the field', async (tool, body, path) => {
    const response = await post(`/v1/estimates/${tool}`, body);
    const { error } = ErrorEnvelope.parse(response.body);
    proves('estimates.validation', () => {
      expect([response.status, error.detail]).toMatchObject([400, { issues: [{ path }] }]);
    });
  });

  test('needs a key', async () => {
    const headers = { authorization: 'Bearer wrong' };
    await proves('estimates.authentication', async () => {
      expect((await post('/v1/estimates/search', { query: 'x' }, headers)).status).toBe(401);
    });
    expect((await post('/v1/estimates/toString', { query: 'x' })).status).toBe(404);
  });
});

function post(path: string, body: object, headers = {}) {
  return gateway().ask('POST', path, body, headers);
}

async function balance(): Promise<number> {
  const response = await gateway().ask('GET', '/v1/balance');
  return (response.body as { balance_usd: number }).balance_usd;
}
