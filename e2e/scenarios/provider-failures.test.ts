// What callers receive when a provider is disabled, not configured, or fails.
import { test } from 'bun:test';
import { startGateway } from '../harness.ts';
import { ErrorAnswer } from '../shapes.ts';
import { startUpstream, upstreamKey } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const question = { query: 'membranes', provider: 'engine_a' };

test('a disabled provider gives a 501, outside search a 503, that names configured ones', async () => {
  await using gateway = await startGateway({
    env: { TRIVIUM_DISABLED_PROVIDERS: 'engine_a,stt_a' },
  });
  const asked: [path: string, body: object, first: string, not: string[]][] = [
    ['/v1/search', { query: 'x', provider: 'engine_a' }, 'engine_b', ['stt_b', 'stt_c']],
    [
      '/v1/extract',
      { urls: ['https://example.org/'], provider: 'engine_a' },
      'engine_b',
      ['engine_d', 'engine_k', 'stt_b'],
    ],
    [
      '/v1/transcriptions',
      { audio_url: 'https://example.org/a.mp3', provider: 'stt_a' },
      'stt_b',
      ['engine_b'],
    ],
  ];
  for (const [path, body, first, not] of asked) {
    const answer = await gateway.post(path, body);
    proves(['errors.search.501', 'choice.501.switched-off', 'choice.503.switched-off'], () =>
      expect([path, answer.status]).toEqual([path, path === '/v1/search' ? 501 : 503]),
    );
    const { type, detail } = ErrorAnswer.parse(answer.body).error;
    expect(type).toBe('provider_not_available');
    const { configured } = detail as { configured: string[] };
    proves('choice.hint.same-tool', () => {
      expect(configured).toContain(first);
      expect(configured.filter((id) => not.includes(id))).toEqual([]);
    });
  }
});

test('a provider without a credential gives a 503, and so does auto without any', async () => {
  await using gateway = await startGateway({ env: { TRIVIUM_SANDBOX: 'off' } });
  const page = { urls: ['https://example.org/'] };
  const audio = { audio_url: 'https://example.org/a.mp3' };
  const asked = [
    ...['engine_a', 'engine_k', 'auto', undefined].map((provider) => [
      '/v1/search',
      { ...question, provider },
    ]),
    ...['engine_b', 'auto', undefined].map((provider) => ['/v1/extract', { ...page, provider }]),
    ...['stt_a', 'stt_b', 'stt_c', 'auto'].map((provider) => [
      '/v1/transcriptions',
      { ...audio, provider },
    ]),
  ] as [path: string, body: object][];
  for (const [path, body] of asked) {
    const answer = await gateway.post(path, body);
    proves(
      [
        'errors.search.503',
        'errors.extract.503',
        'errors.transcription.503',
        'choice.503.transcription-no-credential',
        'choice.503.no-credential',
        'choice.503.auto-nothing',
        'settings.sandbox.off',
      ],
      () => {
        expect(answer.status).toBe(503);
        expect(ErrorAnswer.parse(answer.body).error.type).toBe('provider_not_configured');
      },
    );
  }
});

test("a provider's error gives a 502 with the provider's body, without credentials", async () => {
  const refusal = {
    requestId: 'r-1',
    tag: 'FEATURE_DISABLED',
    error: `${upstreamKey} lacks this`,
  };
  await using upstream = startUpstream(() => Response.json(refusal, { status: 403 }));
  await using gateway = await startGateway({ env: upstream.env });
  const answer = await gateway.post('/v1/search', question);
  const { error } = ErrorAnswer.parse(answer.body);
  proves(['errors.search.502', 'choice.502.error-answer'], () => {
    expect(answer.status).toBe(502);
    expect(error.type).toBe('provider_error');
  });
  const own = {
    requestId: 'r-1',
    tag: 'FEATURE_DISABLED',
    error: expect.stringMatching(/ lacks this$/) as string,
  };
  proves('choice.502.detail', () =>
    expect(error.detail).toEqual({ provider: 'engine_a', status: 403, body: own, ...own }),
  );
  // That the log has no credential is checked when the gateway stops.
  proves('choice.502.secrets-removed', () => expect(answer.text).not.toContain(upstreamKey));
});
