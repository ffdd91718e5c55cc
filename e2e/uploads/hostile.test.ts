// Hostile uploads: each is refused with a clear error, and nothing is left in the folder.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { connectRaw, rawStatus } from '../raw-connection.ts';
import { runToEnd } from '../run-to-end.ts';
import { makeWav, postFile, upload } from './recordings.ts';
import { waitFor } from '../wait-for.ts';

const mib = 1024 * 1024;
const boundary = 'b0undary';
const formType = `multipart/form-data; boundary=${boundary}`;

let gateway: Gateway;
let dripping: Promise<string>;
beforeAll(async () => {
  gateway = await startGateway({ env: { TRIVIUM_MAX_UPLOAD_MB: '1' } });
  // It takes as long as a gateway allows, so it begins first, where it is no upload of the others.
  dripping = drip();
});
afterAll(() => gateway.close());

describe('the size', () => {
  test.each([undefined, 'talk.wav'])('exactly the limit is stored (%p)', async (name) => {
    const { id, bytes } = await upload(gateway, makeWav(mib), name);
    expect(bytes).toBe(mib);
    await gateway.ask('DELETE', `/v1/uploads/${id}`);
  });

  test.each([undefined, 'talk.wav'])('one byte more gives a 413 (%p)', async (name) => {
    expect((await postFile(gateway, makeWav(mib + 1), name)).status).toBe(413);
  });

  test('one byte more without a length gives a 413', async () => {
    expect((await send(new Blob([makeWav(mib + 1)]).stream())).status).toBe(413);
  });

  test('a larger length is refused before anything is read', async () => {
    const client = await connectRaw(gateway.url);
    client.write(head('/v1/uploads', ['content-type: audio/wav', `content-length: ${3 * mib}`]));
    expect(rawStatus(await client.answered)).toBe(413);
    client.end();
  });

  test('a client that sends everything before it reads sees the 413', async () => {
    const program = `
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(${20 * mib})]), 'talk.wav');
      const headers = { authorization: 'Bearer ${gateway.key}' };
      fetch('${gateway.url}/v1/uploads', { method: 'POST', headers, body: form }).then(
        ({ status }) => console.log(status),
        ({ cause }) => console.log(cause.code),
      );`;
    const { out } = await runToEnd(['node', '-e', program], { env: process.env });
    expect(out.trim()).toBe('413');
  });

  test.each([undefined, 'talk.wav'])('no bytes at all give a 400 (%p)', async (name) => {
    const { status, body } = await postFile(gateway, new Uint8Array(), name);
    expect([status, codeIn(body)]).toEqual([400, 'empty']);
  });
});

describe('a file that is not a recording', () => {
  test.each([
    ['text', Buffer.from('hello, this is not a recording')],
    ['a ZIP archive', Buffer.from('PK\u0003\u0004 and more')],
    ['gzip', gzipSync(Buffer.alloc(100_000))],
    ['a program', Buffer.from('\u007fELF and more of it')],
    ['a web page', Buffer.from('<html><script>alert(1)</script>')],
  ])('%s gives a 400', async (_name, bytes) => {
    for (const name of [undefined, 'talk.mp3']) {
      const { status, body } = await postFile(gateway, new Uint8Array(bytes), name);
      expect([status, codeIn(body)]).toEqual([400, 'not_media']);
    }
  });

  test.each(['gzip', 'deflate', 'br', 'zstd', 'nonsense'])(
    'a body compressed with %s gives a 400, whatever it contains',
    async (encoding) => {
      const headers = { 'content-encoding': encoding };
      const answer = await send(gzipSync(makeWav(mib)), headers);
      expect([answer.status, codeIn(answer.body)]).toEqual([400, 'compressed']);
    },
  );

  test('a body without a type, and one in JSON, give a 400', async () => {
    expect((await send('{}', { 'content-type': 'application/json' })).status).toBe(400);
    const client = await connectRaw(gateway.url);
    client.write(`${head('/v1/uploads', ['content-length: 4'])}RIFF`);
    expect(rawStatus(await client.answered)).toBe(400);
    client.end();
  });
});

describe('a form', () => {
  const wav = Buffer.from(makeWav(3000)).toString('latin1');
  const part = (name: string, content: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const file = (content = wav, name = 'talk.wav') => part('file', content, `; filename="${name}"`);
  const end = `--${boundary}--\r\n`;

  test.each<[name: string, content: string, type?: string]>([
    ['without its boundary in the type', file() + end, 'multipart/form-data'],
    ['with another boundary', file() + end, 'multipart/form-data; boundary=other'],
    ['that ends too early', file()],
    [
      'that ends within its file',
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${wav}`,
    ],
    ['with two files', file() + file() + end],
    ['with a file under another name', part('audio', wav, '; filename="a.wav"') + end],
    ['without a file', part('note', 'hello') + end],
    ['with another field', file() + part('note', 'hello') + end],
    ['with a field too long', part('note', 'a'.repeat(100_000)) + file() + end],
    ['with a thousand fields', part('note', 'a').repeat(1000) + file() + end],
    ['of nothing', ''],
    ['of nonsense', 'hello'],
    ['with endless headers', `--${boundary}\r\n${'x-header: a\r\n'.repeat(50_000)}`],
    ['with one huge header', `--${boundary}\r\nx: ${'a'.repeat(900_000)}\r\n\r\n${wav}\r\n${end}`],
    ['with a part without a name', `--${boundary}\r\n\r\n${wav}\r\n${end}`],
    ['with an inherited name', file() + part('__proto__', 'x') + end],
  ])('%s gives a 400', async (...[, content, type]) => {
    const headers = { 'content-type': typeof type === 'string' ? type : formType };
    const answer = await send(Buffer.from(content, 'latin1'), headers);
    expect([answer.status, typeof codeIn(answer.body)]).toEqual([400, 'string']);
  });

  test.each([
    '../../../etc/passwd',
    '/etc/passwd',
    '..\\..\\boot.ini',
    'a\u0000.wav',
    '',
    'ü🎧.wav',
  ])('the file name %p is not used', async (name) => {
    const { id } = await upload(gateway, makeWav(5000), name);
    expect(left()).toEqual([id]);
    await gateway.ask('DELETE', `/v1/uploads/${id}`);
  });
});

describe('connections', () => {
  test.each([
    ['with a length', `content-length: ${mib}`, ''],
    ['in chunks', 'transfer-encoding: chunked', `${(5000).toString(16)}\r\n`],
  ])('a file that is cut off %s leaves nothing', async (_name, header, before) => {
    const client = await connectRaw(gateway.url);
    client.write(head('/v1/uploads', ['content-type: audio/wav', header]) + before);
    client.write(makeWav(5000));
    await hasFiles(1);
    client.end();
    await hasFiles(0);
  });

  test('a form that is cut off leaves nothing', async () => {
    const client = await connectRaw(gateway.url);
    client.write(head('/v1/uploads', [`content-type: ${formType}`, `content-length: ${mib}`]));
    const disposition = 'content-disposition: form-data; name="file"; filename="a.wav"';
    client.write(`--${boundary}\r\n${disposition}\r\n\r\n`);
    client.write(makeWav(90_000));
    await hasFiles(1);
    client.end();
    await hasFiles(0);
  });

  test.each([
    ['too large', ['content-type: audio/wav', `content-length: ${2 * mib}`], 413],
    ['without a type', [`content-length: ${2 * mib}`], 400],
    ['compressed', ['content-type: audio/wav', 'content-encoding: br', 'content-length: 99'], 400],
  ])('the rest of a body that is %s is not another request', async (...[, headers, status]) => {
    const length = Number(/\d+$/.exec(headers.at(-1) ?? '')?.[0]);
    const hidden = `DELETE /v1/uploads/x HTTP/1.1\r\nhost: a\r\n\r\n`;
    const client = await connectRaw(gateway.url);
    client.write(head('/v1/uploads', headers));
    client.write(hidden.padEnd(length, ' '));
    client.write(`GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n`);
    const statuses = () => client.received().match(/HTTP\/1\.1 \d+/g) ?? [];
    await waitFor(() => statuses().length > 1, { what: 'both requests are answered' });
    expect(statuses()).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 200']);
    client.end();
  });

  test('at most eight uploads of an account run at once', async () => {
    const open = await Promise.all(Array.from({ length: 8 }, () => connectRaw(gateway.url)));
    for (const client of open) {
      const headers = ['content-type: audio/wav', `content-length: ${mib}`];
      client.write(head('/v1/uploads', headers));
      client.write(makeWav(5000));
    }
    await hasFiles(8);
    const { status, body } = await postFile(gateway, makeWav(100));
    expect([status, body]).toMatchObject([429, { error: { type: 'rate_limited' } }]);
    for (const client of open) client.end();
    await hasFiles(0);
  });

  test('a file that arrives too slowly gives a 408', async () => {
    expect(rawStatus(await dripping)).toBe(408);
    expect((await postFile(gateway, makeWav(100))).status).toBe(201);
    for (const id of left()) await gateway.ask('DELETE', `/v1/uploads/${id}`);
  });
});

test('nothing is left in the folder, and a restart with leftovers removes them', async () => {
  expect(left()).toEqual([]);
  await gateway.stop();
  const folder = join(gateway.store_dir, 'uploads');
  await Bun.write(join(folder, `upl_${'0'.repeat(32)}`), 'RIFF');
  await Bun.write(join(folder, `upl_${'1'.repeat(32)}.part`), 'RIFF');
  await gateway.restart();
  await hasFiles(0);
});

function head(path: string, lines: readonly string[], { url, key } = gateway): string {
  const all = [`host: ${new URL(url).host}`, `authorization: Bearer ${key}`, ...lines];
  return `POST ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
}

async function drip(): Promise<string> {
  await using slow = await startGateway({ env: { TRIVIUM_MAX_UPLOAD_MB: '1' } });
  const client = await connectRaw(slow.url);
  client.write(head('/v1/uploads', ['content-type: audio/wav', `content-length: ${mib}`], slow));
  const timer = setInterval(() => client.write('R'), 500);
  try {
    return await client.answered;
  } finally {
    clearInterval(timer);
    client.end();
  }
}

async function send(
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${gateway.url}/v1/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'audio/wav', ...headers },
    body,
  });
  return { status: response.status, body: await response.json() };
}

function codeIn(body: unknown): string | undefined {
  const { error } = body as { error: { detail?: { issues?: { code: string }[] } } };
  return error.detail?.issues?.[0]?.code;
}

function left(): string[] {
  const folder = join(gateway.store_dir, 'uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function hasFiles(count: number): Promise<void> {
  const what = `the folder has ${count} files`;
  await waitFor(left, { what, until: ({ length }) => length === count });
}
