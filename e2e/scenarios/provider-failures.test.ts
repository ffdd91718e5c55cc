// What callers are told when a provider is switched off, not configured, or fails.
import { expect } from 'bun:test';
import { startGateway } from '../harness.ts';
import { ErrorAnswer } from '../shapes.ts';
import { startUpstream, UPSTREAM_KEY } from '../upstream.ts';
import { scenario } from '../verifies.ts';

const question = { query: 'membranes', provider: 'engine_a' };

scenario(
  'an engine that the operator switched off is a 501, with or without a credential',
  ['errors.search.501', 'choice.501.switched-off'],
  async () => {
    await using gateway = await startGateway({
      env: { TRIVIUM_DISABLED_PROVIDERS: 'engine_a,engine_b' },
    });
    for (const provider of ['engine_a', 'engine_b']) {
      const answer = await gateway.post('/v1/search', { ...question, provider });
      expect(answer.status).toBe(501);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('provider_not_available');
    }
  },
);

scenario(
  'outside search a provider that is switched off is a 503, and others of its tool are named',
  ['choice.503.switched-off', 'choice.hint.same-tool'],
  async () => {
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
      expect([path, answer.status]).toEqual([path, path === '/v1/search' ? 501 : 503]);
      const { type, detail } = ErrorAnswer.parse(answer.body).error;
      expect(type).toBe('provider_not_available');
      const { configured } = detail as { configured: string[] };
      expect(configured).toContain(first);
      expect(configured.filter((id) => not.includes(id))).toEqual([]);
    }
  },
);

scenario(
  'without a credential an engine is a 503, and so is auto when there is none at all',
  [
    'errors.search.503',
    'choice.503.no-credential',
    'choice.503.auto-nothing',
    'settings.sandbox.off',
  ],
  async () => {
    await using gateway = await startGateway({ env: { TRIVIUM_SANDBOX: 'off' } });
    for (const provider of ['engine_a', 'engine_k', 'auto', undefined]) {
      const answer = await gateway.post('/v1/search', { ...question, provider });
      expect(answer.status).toBe(503);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('provider_not_configured');
    }
  },
);

scenario(
  "a provider's refusal is a 502 with its own body, from which credentials are removed",
  [
    'errors.search.502',
    'choice.502.error-answer',
    'choice.502.detail',
    'choice.502.secrets-removed',
  ],
  async () => {
    const refusal = {
      requestId: 'r-1',
      tag: 'FEATURE_DISABLED',
      error: `${UPSTREAM_KEY} lacks this`,
    };
    await using upstream = startUpstream(() => Response.json(refusal, { status: 403 }));
    await using gateway = await startGateway({ env: upstream.env });
    const answer = await gateway.post('/v1/search', question);
    expect(answer.status).toBe(502);
    const { error } = ErrorAnswer.parse(answer.body);
    expect(error.type).toBe('provider_error');
    expect(error.detail).toEqual({
      provider: 'engine_a',
      status: 403,
      body: {
        requestId: 'r-1',
        tag: 'FEATURE_DISABLED',
        error: expect.stringMatching(/ lacks this$/),
      },
    });
    expect(answer.text).not.toContain(UPSTREAM_KEY);
    expect(gateway.output()).not.toContain(UPSTREAM_KEY);
  },
);

scenario('nonsense from a provider is a 502', ['choice.502.nonsense'], async () => {
  const nonsense = [
    () => new Response('<html>Welcome</html>'),
    () => new Response('{"results":[', { headers: { 'content-type': 'application/json' } }),
    () => Response.json({ surprise: true }),
    () => Response.json({ results: [{ title: 'a result without an address' }] }),
  ];
  let turn = 0;
  await using upstream = startUpstream(() => nonsense[turn]?.() ?? Response.error());
  await using gateway = await startGateway({ env: upstream.env });
  for (turn = 0; turn < nonsense.length; turn += 1) {
    const answer = await gateway.post('/v1/search', question);
    expect([turn, answer.status]).toEqual([turn, 502]);
    const { error } = ErrorAnswer.parse(answer.body);
    expect(error.type).toBe('provider_error');
    expect(error.detail).toMatchObject({ provider: 'engine_a', status: 200 });
  }
});
