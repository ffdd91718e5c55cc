// The clients of speech vendors as reference: the address and the key of a submission, and the
// options that a caller may set. `e2e/clients/python.test.ts` checks the fields of each submission.
import { afterAll, expect, test } from 'bun:test';
import { DeepgramClient } from '@deepgram/sdk';
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
import { AssemblyAI } from 'assemblyai';
import lastRun from '../../../e2e/vendors/last-run.json' with { type: 'json' };
import { providers } from '../../src/providers/registry.ts';
import { fixtureNames, readFixture } from '../fixtures.ts';

const received: { method: string; path: string; headers: Headers }[] = [];
const server = Bun.serve({
  port: 0,
  fetch: ({ method, url, headers }) => {
    received.push({ method, path: new URL(url).pathname, headers });
    return Response.json({ id: 'x', status: 'queued', request_id: 'x', message: 'x' });
  },
});
afterAll(() => server.stop(true));

const apiKey = 'test-key';
const { origin: baseUrl } = server.url;
const url = 'https://audio.example/a.mp3';
const vendors = {
  assemblyai: {
    ...{ provider: providers.stt_a, path: '/v2/transcript' },
    submit: () => new AssemblyAI({ apiKey, baseUrl }).transcripts.submit({ audio: url }),
    fields: lastRun.assemblyai.types['POST /v2/transcript'],
    // Its models of a submission and of an answer are one.
    unpriced: ['audio_channels', 'language_confidence', 'language_detection_results'],
  },
  deepgram: {
    ...{ provider: providers.stt_b, path: '/v1/listen' },
    submit: () => new DeepgramClient({ apiKey, baseUrl }).listen.v1.media.transcribeUrl({ url }),
    fields: lastRun.deepgram.types['POST /v1/listen'],
    unpriced: [],
  },
  elevenlabs: {
    ...{ provider: providers.stt_c, path: '/v1/speech-to-text' },
    submit: () =>
      new ElevenLabsClient({ apiKey, baseUrl }).speechToText.convert({
        ...{ modelId: 'scribe_v2', sourceUrl: url },
      }),
    fields: lastRun.elevenlabs.types['POST /v1/speech-to-text'],
    // Newer than the price page that was read last.
    unpriced: ['numbers_format', 'secondary_language_codes'],
  },
};

const each = Object.entries(vendors).map(([vendor, rest]) => ({ vendor, ...rest }));

test.each(each)(
  '$vendor: a submission goes where the client sends one, with its key',
  async (one) => {
    received.length = 0;
    await one.submit();
    const headers = Object.entries(one.provider.auth(apiKey));
    const [{ method, path, ...sent } = { headers: new Headers() }] = received;
    expect(headers.map(([name]) => [name, sent.headers.get(name)])).toEqual(headers);
    expect(path).toBe(one.path);
    const files = fixtureNames(`${one.vendor}.transcribe.`);
    expect(files).not.toBeEmpty();
    const first = files.flatMap((file) => readFixture(file).sent.slice(0, 1));
    expect(first.map((ours) => [ours.method, new URL(ours.url).pathname])).toEqual(
      first.map(() => [String(method), one.path]),
    );
  },
);

test.each(each)('$vendor: every option has a known price, or a caller cannot set it', (one) => {
  const { price, refused_options = {} } = one.provider.transcribe ?? missing();
  const hour = (sent: object) => price.cost({ sent: { ...sent }, seconds: 3600, rates: {} });
  const settable = Object.keys(one.fields).filter((name) => !(name in refused_options));
  // An unknown option costs more, so the price knows all others.
  const unknown = settable.filter(
    (name) => !price.reads.includes(name) && hour({ [name]: 'x' }) !== hour({}),
  );
  expect(unknown).toEqual(one.unpriced);
});

function missing(): never {
  throw new Error('the vendor has no transcription product');
}
