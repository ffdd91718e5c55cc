// Deepgram's own client as reference: given the same parameters, it sends what our fixtures send.
import { afterAll, expect, test } from 'bun:test';
import { DeepgramClient } from '@deepgram/sdk';
import { deepgram } from '../../src/providers/deepgram/adapter.ts';
import { inOrder, listenFor, submissions } from './sent-speech.ts';

const recorder = listenFor({ request_id: 'x' });
afterAll(recorder.stop);
const client = new DeepgramClient({ apiKey: 'test-key', baseUrl: recorder.url, maxRetries: 0 });
type Params = Parameters<typeof client.listen.v1.media.transcribeUrl>[0];

/** Parameters of the client's own type: one that is misspelt or missing does not compile. */
const known: Readonly<
  Record<Exclude<keyof Params, 'url' | 'callback_method'>, 'text' | 'flag' | 'list' | 'count'>
> = {
  model: 'text',
  language: 'text',
  detect_language: 'flag',
  smart_format: 'flag',
  numerals: 'flag',
  diarize_model: 'text',
  keyterm: 'list',
  search: 'list',
  tag: 'text',
  extra: 'text',
  callback: 'text',
  sentiment: 'flag',
  summarize: 'text',
  topics: 'flag',
  custom_topic: 'list',
  custom_topic_mode: 'text',
  intents: 'flag',
  custom_intent: 'list',
  custom_intent_mode: 'text',
  detect_entities: 'flag',
  diarize: 'flag',
  dictation: 'flag',
  encoding: 'text',
  filler_words: 'flag',
  keywords: 'list',
  measurements: 'flag',
  mip_opt_out: 'flag',
  multichannel: 'flag',
  paragraphs: 'flag',
  profanity_filter: 'flag',
  punctuate: 'flag',
  redact: 'text',
  replace: 'list',
  utt_split: 'count',
  utterances: 'flag',
  version: 'text',
};
/** Documented by the vendor; the client does not name it. */
const unnamed = ['alternatives'];

for (const { file, sent } of submissions('deepgram')) {
  test(`${file} sends what the client would send`, async () => {
    recorder.received.length = 0;
    const { pathname, searchParams } = new URL(sent.url);
    const params: Record<string, unknown> = { ...(sent.body as object) };
    for (const name of unnamed) searchParams.delete(name);
    for (const name of new Set(searchParams.keys())) {
      const kind = (known as Partial<Record<string, string>>)[name];
      if (kind === undefined) throw new Error(`the client has no parameter ${name}`);
      const values = searchParams.getAll(name);
      if (kind === 'list') params[name] = values;
      else if (kind === 'count') params[name] = Number(values[0]);
      else params[name] = kind === 'flag' ? values[0] === 'true' : values[0];
    }
    await client.listen.v1.media.transcribeUrl(params as unknown as Params);
    const [one] = recorder.received;
    expect(one).toMatchObject({
      method: sent.method,
      path: pathname,
      authorization: deepgram.auth('test-key')['authorization'],
      body: sent.body,
    });
    expect(inOrder(one?.query ?? [])).toEqual(inOrder([...searchParams]));
  });
}

test('every option of the client can be set by a caller, or belongs to the transport', () => {
  const price = deepgram.transcribe?.price;
  if (!price) throw new Error('there is no price');
  const hour = (sent: object) => price.cost({ sent: { ...sent }, seconds: 3600, rates: {} });
  const usual = hour({});
  // An unknown option costs more, so the price knows all of these.
  for (const name of Object.keys(known)) {
    expect([name, price.reads.includes(name) || hour({ [name]: 'x' }) === usual]).toEqual([
      name,
      true,
    ]);
  }
});
