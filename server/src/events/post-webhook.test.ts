// Webhooks go only to the address that was checked. Of a private receiver only the status is read,
// of a public one also the beginning of its text.
import { afterAll, expect, test } from 'bun:test';
import { type Socket, createServer } from 'node:net';
import { once } from 'node:events';
import { certificate, certificateKey } from '@trivium/sandbox/certificate';
import { makePostWebhook } from './post-webhook.ts';

const received: { host: string | null; path: string; body: string }[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    received.push({
      host: request.headers.get('host'),
      path: pathname,
      body: await request.text(),
    });
    return new Response('x', { status: 202 });
  },
});
afterAll(() => server.stop(true));

const names: Record<string, string[]> = {
  'public.test': ['127.0.0.1'],
  'rebinding.test': ['203.0.113.1', '10.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'none.test': [],
  'odd.test': ['no address'],
};
const resolve = (name: string) => Promise.resolve(names[name] ?? []);
const post = makePostWebhook({ resolve });
const given = { headers: { 'webhook-id': 'msg_1' }, body: new Blob(['{}']), limitMs: 5000 };

test('the connection goes to the address of the name, with the name as its host', async () => {
  const url = `http://public.test:${server.port}/a?b=1`;
  expect(await post({ ...given, url, allowPrivate: true })).toEqual({ status: 202 });
  expect(received.at(-1)).toEqual({ host: `public.test:${server.port}`, path: '/a', body: '{}' });
});

/** The addresses of this machine count as public. */
const postInPublic = makePostWebhook({ resolve, isPrivate: () => false });

test.each([
  ['a text', new Response('We are being deployed. ☕'), 'We are being deployed. ☕'],
  ['JSON', Response.json({ error: 'no such job' }), '{"error":"no such job"}'],
  ['nothing', new Response(null, { status: 200 }), undefined],
  ['bytes that are no text', new Response(new Uint8Array([0x89, 0x50, 0xff, 0xd8])), undefined],
  ['a zero byte', new Response('a\0b'), undefined],
  ['a control sequence', new Response('\u001b[2J'), undefined],
  [
    'compressed text',
    new Response(Bun.gzipSync('text'), { headers: { 'content-encoding': 'gzip' } }),
    undefined,
  ],
])('of a public receiver that answers %s the text is kept', async (_name, response, text) => {
  using answering = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => response });
  const url = `http://public.test:${answering.port}/`;
  expect(await postInPublic({ ...given, url, allowPrivate: true })).toEqual({
    status: 200,
    ...(text === undefined ? {} : { text }),
  });
});

test('a long text is cut at 2,048 bytes, and between characters', async () => {
  using answering = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(`a${'é'.repeat(100_000)}`),
  });
  const url = `http://public.test:${answering.port}/`;
  const answer = await postInPublic({ ...given, url, allowPrivate: true });
  expect(answer).toEqual({ status: 200, text: `a${'é'.repeat(1023)}` });
});

test('a text that drips or never comes does not delay its delivery to the time limit', async () => {
  using dripping = await rawServer((socket) => {
    socket.write('HTTP/1.1 500 No\r\ncontent-length: 1000000000\r\n\r\nbegin');
  });
  const url = `http://public.test:${new URL(dripping.url).port}/`;
  const answer = await postInPublic({ ...given, url, allowPrivate: true, limitMs: 600_000 });
  expect(answer).toEqual({ status: 500, text: 'begin' });
  await dripping.ended;
});

test.each([
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://0x7f.1/',
  'https://public.test/',
  'https://rebinding.test/',
  'https://metadata.test/',
  'https://mapped.test/',
  'https://odd.test/',
])('%s is not reached without the setting', async (url) => {
  const before = received.length;
  const answer = await post({ ...given, url, allowPrivate: false });
  expect(answer).toEqual({
    error: expect.stringContaining('The address is in a private network.') as string,
  });
  expect(received.length).toBe(before);
});

test('http is not used without the setting, and a name needs an address', async () => {
  const plain = await post({ ...given, url: 'http://203.0.113.1/', allowPrivate: false });
  expect(plain).toEqual({ error: 'Must start with https.' });
  const none = await post({ ...given, url: 'https://none.test/', allowPrivate: true });
  expect(none).toEqual({ error: 'The gateway could not reach the receiver (ENOTFOUND).' });
});

/** A server that answers with raw bytes, and keeps its sockets to itself. */
async function rawServer(answer: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const ended = Promise.withResolvers<void>();
  const raw = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => ended.resolve());
    socket.once('data', () => answer(socket));
  });
  raw.listen(0, '127.0.0.1');
  await once(raw, 'listening');
  const { port } = raw.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/`,
    ended: ended.promise,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      raw.close();
    },
  };
}

test('a status line that never ends is given up after the time limit', async () => {
  using slow = await rawServer((socket) => {
    const drip = setInterval(() => socket.write('x-drip: 1\r\n'), 20);
    socket.write('HTTP/1.1 200 OK\r\n');
    socket.on('close', () => clearInterval(drip));
  });
  const answer = await post({ ...given, url: slow.url, allowPrivate: true, limitMs: 300 });
  expect(answer).toEqual({ error: 'No answer within 0.3 seconds.' });
});

test('the connection is closed once the status is known', async () => {
  using dripping = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\nx');
  });
  const answer = await post({ ...given, url: dripping.url, allowPrivate: true });
  expect(answer).toEqual({ status: 200 });
  await dripping.ended;
});

test('an answer that is no HTTP is a failure without its text', async () => {
  using odd = await rawServer((socket) => socket.end('secret of the network\r\n'));
  const answer = await post({ ...given, url: odd.url, allowPrivate: true });
  expect(JSON.stringify(answer)).toStartWith(
    '{"error":"The gateway could not reach the receiver (',
  );
  expect(JSON.stringify(answer)).not.toContain('secret');
});

test('a port where nothing listens is a failure', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as { port: number };
  closed.close();
  await once(closed, 'close');
  const answer = await post({ ...given, url: `http://127.0.0.1:${port}/`, allowPrivate: true });
  expect(answer).toEqual({ error: 'The gateway could not reach the receiver (ECONNREFUSED).' });
});

/** Writes as fast as the other side reads, and counts. */
function flood(socket: Socket, begin: string, more: string) {
  const flooded = { bytes: 0 };
  const chunk = Buffer.from(more.repeat(Math.ceil((64 * 1024) / more.length)));
  const pump = () => {
    while (socket.writable) {
      flooded.bytes += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.write(begin);
  socket.on('drain', pump);
  pump();
  return flooded;
}

const okLine = 'HTTP/1.1 200 OK\r\n';
/** Far below the announced body of 1 GB, far above what the buffers of a busy machine take in before the gateway closes the connection. */
const maxTakenBytes = 256 * 1024 * 1024;

test.each([
  ['a status text', 'HTTP/1.1 200 ', 'a', /TooLarge|Malformed/],
  ['one header', `${okLine}x-a: `, 'a', /TooLarge|Malformed/],
  ['many headers', okLine, `x-a: ${'b'.repeat(1000)}\r\n`, /TooLarge|Malformed/],
  ['a body with a length', `${okLine}content-length: 1000000000\r\n\r\n`, 'a', undefined],
  ['a body until the end', `${okLine}\r\n`, 'a', undefined],
  ['the length of a chunk', `${okLine}transfer-encoding: chunked\r\n\r\n`, 'a', undefined],
  ['trailers', `${okLine}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-a: b\r\n', undefined],
])('%s without an end is not read', async (_name, begin, more, error) => {
  let flooded = { bytes: 0 };
  using endless = await rawServer((socket) => {
    flooded = flood(socket, begin, more);
  });
  const answer = await post({ ...given, url: endless.url, allowPrivate: true });
  expect(answer).toEqual(error ? { error: expect.stringMatching(error) } : { status: 200 });
  await endless.ended;
  expect(flooded.bytes).toBeLessThan(maxTakenBytes);
});

test.each(['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'])(
  '%j again and again ends at the time limit',
  async (interim) => {
    using endless = await rawServer((socket) => void flood(socket, '', interim));
    const answer = await post({ ...given, url: endless.url, allowPrivate: true, limitMs: 300 });
    expect(answer).toEqual({ error: 'No answer within 0.3 seconds.' });
    await endless.ended;
  },
);

test.each([
  ['is reset after the status', `${okLine}content-length: 9\r\n\r\nab`, { status: 200 }],
  [
    'has a second answer behind it',
    `${okLine}content-length: 0\r\n\r\nHTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n`,
    { status: 200 },
  ],
  [
    'leads to a private address',
    'HTTP/1.1 307 Go\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n',
    { status: 307 },
  ],
  ['has two lengths', `${okLine}content-length: 5\r\ncontent-length: 6\r\n\r\nabcde`, undefined],
  ['has a negative length', `${okLine}content-length: -5\r\n\r\n`, undefined],
  [
    'changes the protocol',
    'HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    undefined,
  ],
  ['has a status of four digits', 'HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n', undefined],
])('an answer that %s is read as its status or as a failure', async (_name, bytes, expected) => {
  using lying = await rawServer((socket) =>
    socket.write(bytes, () => void setTimeout(() => socket.resetAndDestroy(), 20)),
  );
  const answer = await post({ ...given, url: lying.url, allowPrivate: true });
  expect(answer).toEqual(
    expected ?? {
      error: expect.stringMatching(/^The gateway could not reach the receiver \(\w+\)\.$/),
    },
  );
  await lying.ended;
});

test('a connection that never becomes secure, or takes no body, ends in time', async () => {
  using silent = await rawServer(() => undefined);
  const { port } = new URL(silent.url);
  const toName = makePostWebhook({ resolve: () => Promise.resolve(['127.0.0.1']) });
  const late = { error: 'No answer within 0.3 seconds.' };
  const limited = { ...given, allowPrivate: true, limitMs: 300 };
  expect(await toName({ ...limited, url: `https://silent.test:${port}/` })).toEqual(late);
  await silent.ended;
  using deaf = await rawServer((socket) => void socket.pause());
  const body = new Blob(['x'.repeat(16 * 1024 * 1024)]);
  expect(await post({ ...limited, url: deaf.url, body })).toEqual(late);
});

test('a name is resolved once: a later answer that is private is not used', async () => {
  const answers = [['203.0.113.1'], ['127.0.0.1'], ['127.0.0.1']];
  let looked = 0;
  const rebinding = makePostWebhook({
    resolve: () => Promise.resolve(answers[looked++] ?? []),
  });
  const before = received.length;
  const url = `https://turning.test:${server.port}/`;
  const first = await rebinding({ ...given, url, allowPrivate: false, limitMs: 300 });
  expect(first).toMatchObject({ error: expect.any(String) });
  expect(looked).toBe(1);
  // The next attempt looks again, and refuses what it finds then.
  const second = await rebinding({ ...given, url, allowPrivate: false, limitMs: 300 });
  expect(second).toEqual({
    error: expect.stringContaining('The address is in a private network.') as string,
  });
  expect(received.length).toBe(before);
});

test('a look-up that never ends is given up', async () => {
  const stuck = makePostWebhook({ resolve: () => new Promise(() => undefined) });
  const answer = await stuck({
    ...given,
    url: 'https://a.test/',
    allowPrivate: false,
    limitMs: 50,
  });
  expect(answer).toEqual({ error: 'No answer within 0.05 seconds.' });
});

const secure = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  tls: { cert: certificate, key: certificateKey },
  fetch: () => new Response(null, { status: 204 }),
});
afterAll(() => secure.stop(true));

test('over https the certificate must be that of the name, from a known authority', async () => {
  const local = () => Promise.resolve(['127.0.0.1']);
  const trusting = makePostWebhook({ resolve: local, authority: certificate });
  const to = (name: string) => ({
    ...given,
    url: `https://${name}:${secure.port}/`,
    allowPrivate: true,
  });
  expect(await trusting(to('site.test'))).toEqual({ status: 204 });
  expect(await trusting(to('other.test'))).toMatchObject({ error: expect.stringMatching(/CERT/) });
  const strict = makePostWebhook({ resolve: local });
  expect(await strict(to('site.test'))).toMatchObject({ error: expect.stringMatching(/CERT/) });
});
