// ElevenLabs' own client as reference: given the same parameters it sends the form of our fixtures.
import { afterAll, expect, test } from 'bun:test';
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
import { elevenlabs } from '../../src/providers/elevenlabs/adapter.ts';
import { inOrder, listenFor, submissions } from './sent-speech.ts';

const recorder = listenFor({ message: 'x', request_id: 'x' });
afterAll(recorder.stop);
const client = new ElevenLabsClient({ apiKey: 'test-key', baseUrl: recorder.url, maxRetries: 0 });
type Params = Parameters<typeof client.speechToText.convert>[0];

/** How the client names and types the fields that we send; a misspelt name does not compile. */
const known: Record<string, [keyof Params, (values: string[]) => unknown]> = {
  model_id: ['modelId', first],
  source_url: ['sourceUrl', first],
  language_code: ['languageCode', first],
  diarize: ['diarize', flag],
  timestamps_granularity: ['timestampsGranularity', first],
  tag_audio_events: ['tagAudioEvents', flag],
  keyterms: ['keyterms', (values) => values],
  seed: ['seed', count],
  no_verbatim: ['noVerbatim', flag],
  webhook: ['webhook', flag],
  webhook_id: ['webhookId', first],
  webhook_metadata: ['webhookMetadata', first],
  num_speakers: ['numSpeakers', count],
  diarization_threshold: ['diarizationThreshold', count],
  additional_formats: ['additionalFormats', (values) => JSON.parse(values[0] ?? '') as unknown],
  temperature: ['temperature', count],
  use_multi_channel: ['useMultiChannel', flag],
  multichannel_output_style: ['multichannelOutputStyle', first],
  entity_detection: ['entityDetection', (values) => values],
  entity_redaction: ['entityRedaction', (values) => values],
  entity_redaction_mode: ['entityRedactionMode', first],
  use_speaker_library: ['useSpeakerLibrary', flag],
  detect_speaker_roles: ['detectSpeakerRoles', flag],
  transcript_edit: ['transcriptEdit', first],
  enable_logging: ['enableLogging', flag],
};

function first(values: string[]): unknown {
  return values[0];
}

function count(values: string[]): unknown {
  return Number(values[0]);
}

function flag(values: string[]): unknown {
  return values[0] === 'true';
}

for (const { file, sent } of submissions('elevenlabs')) {
  test(`${file} sends what the client would send`, async () => {
    recorder.received.length = 0;
    const form = sent.form ?? [];
    const query = [...new URL(sent.url).searchParams];
    const given = [...form, ...query];
    const params: Record<string, unknown> = {};
    for (const name of new Set(given.map(([field]) => field))) {
      const field = known[name];
      if (!field) throw new Error(`the client has no field ${name}`);
      params[field[0]] = field[1](given.flatMap(([one, value]) => (one === name ? [value] : [])));
    }
    await client.speechToText.convert(params as unknown as Params);
    const [one] = recorder.received;
    expect(one).toMatchObject({
      method: sent.method,
      path: new URL(sent.url).pathname,
      authorization: elevenlabs.auth('test-key')['xi-api-key'],
    });
    expect(inOrder(one?.form ?? [])).toEqual(inOrder(form));
    expect(inOrder(one?.query ?? [])).toEqual(inOrder(query));
  });
}

test('every option of the client can be set by a caller, or belongs to the transport', () => {
  const price = elevenlabs.transcribe?.price;
  if (!price) throw new Error('there is no price');
  const hour = (sent: object) => price.cost({ sent: { ...sent }, seconds: 3600, rates: {} });
  const usual = hour({ model_id: 'scribe_v2' });
  const { refused_options = {} } = elevenlabs.transcribe ?? {};
  // An unknown option costs more, so the price knows all of these.
  for (const name of Object.keys(known).filter((one) => !(one in refused_options))) {
    expect([name, price.reads.includes(name) || hour({ [name]: 'x' }) === usual]).toEqual([
      name,
      true,
    ]);
  }
});
