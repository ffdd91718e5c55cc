// Deepgram's own client as reference: given the same parameters it sends what our fixtures send.
import { afterAll, expect, test } from 'bun:test';
import { DeepgramClient } from '@deepgram/sdk';
import { deepgram } from '../../src/providers/deepgram/adapter.ts';
import { inOrder, listenFor, submissions } from './sent-speech.ts';

const recorder = listenFor({ request_id: 'x' });
afterAll(recorder.stop);
const client = new DeepgramClient({ apiKey: 'test-key', baseUrl: recorder.url, maxRetries: 0 });
type Params = Parameters<typeof client.listen.v1.media.transcribeUrl>[0];

/** Parameters of the client's own type that we use; a misspelt one does not compile. */
const known: Partial<Record<keyof Params, 'text' | 'flag' | 'list'>> = {
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
};

for (const { file, sent } of submissions('deepgram')) {
  test(`${file} sends what the client would send`, async () => {
    recorder.received.length = 0;
    const { pathname, searchParams } = new URL(sent.url);
    const params: Record<string, unknown> = { ...(sent.body as object) };
    for (const name of new Set(searchParams.keys())) {
      const kind = known[name as keyof Params];
      if (kind === undefined) throw new Error(`the client has no parameter ${name}`);
      const values = searchParams.getAll(name);
      if (kind === 'list') params[name] = values;
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
