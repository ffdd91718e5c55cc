// JSON that is sent compressed, and once.
import { expect, test } from 'bun:test';
import { compressedJson } from './meta.ts';

const ask = (headers: Record<string, string>) => new Request('http://gateway.test/', { headers });

test('a client gets it compressed if it can read that, and not again if it has it', async () => {
  const send = compressedJson();
  const plain = send(ask({}), '{"a":1}');
  expect(await plain.text()).toBe('{"a":1}');
  expect(plain.headers.get('content-encoding')).toBeNull();
  const packed = send(ask({ 'accept-encoding': 'br, gzip' }), '{"a":1}');
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(new TextDecoder().decode(Bun.gunzipSync(await packed.bytes()))).toBe('{"a":1}');
  const etag = packed.headers.get('etag') ?? '';
  const again = send(ask({ 'if-none-match': etag }), '{"a":1}');
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(send(ask({ 'if-none-match': etag }), '{"a":2}').status).toBe(200);
});
