// Decompression bombs from callers and from providers: the gateway stops at the limit, and its
// memory stays small.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  gzipSync,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import { sharedGatewayProcess } from '../harness.ts';
import { ErrorAnswer } from '../shapes.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';

const mib = 1024 * 1024;
const unpackedMib = 400;
const maxMemoryBytes = 300 * mib;
const encodings = ['gzip', 'deflate', 'br', 'zstd'] as const;
type Encoding = (typeof encodings)[number];

const packers: Record<Encoding, () => Transform> = {
  gzip: () => createGzip(),
  deflate: () => createDeflate(),
  br: () => createBrotliCompress({ params: { 0: 0, 1: 1 } }),
  zstd: () => createZstdCompress(),
};

/** White space around an empty object, so that the whole text is valid JSON. */
async function bomb(encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  const packer = packers[encoding]();
  const parts: Uint8Array[] = [];
  packer.on('data', (part: Uint8Array) => void parts.push(part));
  const ended = new Promise((resolve) => packer.once('end', resolve));
  const blanks = new Uint8Array(mib).fill(32);
  for (let count = 0; count < unpackedMib; count += 1) {
    if (!packer.write(blanks)) await new Promise((resolve) => packer.once('drain', resolve));
  }
  packer.end('{}');
  await ended;
  return new Uint8Array(Buffer.concat(parts));
}

const bombs = new Map<Encoding, Uint8Array<ArrayBuffer>>();
let answer: () => Response = () => exaAnswer([]);
const adminToken = 'operator-token-of-this-test-0123456789';
const upstream = startUpstream(() => answer());
afterAll(() => upstream[Symbol.asyncDispose]());
const gateway = sharedGatewayProcess({
  env: { ...upstream.env, TRIVIUM_ADMIN_TOKEN: adminToken },
});
beforeAll(async () => {
  for (const encoding of encodings) bombs.set(encoding, await bomb(encoding));
});

async function send(path: string, body: Uint8Array<ArrayBuffer>, encoding: string) {
  const token = path.startsWith('/admin/') ? adminToken : gateway().key;
  const response = await fetch(gateway().url + path, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-encoding': encoding,
    },
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

const readers = [
  '/v1/search',
  '/v1/extract',
  '/v1/transcriptions',
  '/mcp',
  '/compat/tavily/search',
  '/compat/exa/search',
  '/compat/firecrawl/v2/batch/scrape',
  '/admin/v1/accounts',
];

describe('a body from a caller', () => {
  for (const encoding of encodings) {
    test(`in ${encoding} that unpacks beyond the limit gives a 413 on every route`, async () => {
      const body = bombs.get(encoding) ?? new Uint8Array();
      for (const path of readers) {
        const { status, body: parsed } = await send(path, body, encoding);
        expect([path, status]).toEqual([path, 413]);
        if (!path.startsWith('/compat')) ErrorAnswer.parse(parsed);
      }
      expect(await gateway().peakMemoryBytes()).toBeLessThan(maxMemoryBytes);
    });
  }

  const packed = gzipSync('{"query":"solar"}');
  test('within the limit is unpacked and served', async () => {
    expect((await send('/v1/search', packed, 'gzip')).status).toBe(200);
    expect((await send('/v1/search', packed, ' X-GZIP ')).status).toBe(200);
  });
  test.each([
    ['gzip, gzip', packed],
    ['compress', packed],
    ['constructor', packed],
    ['gzip', new TextEncoder().encode('{"query":"solar"}')],
    ['br', packed],
    ['zstd', packed],
    ['deflate', packed],
    ['gzip', packed.subarray(0, 12)],
  ])(
    'that does not match its encoding (%s) gives a 400 with the error envelope',
    async (encoding, body) => {
      const { status, body: parsed } = await send('/v1/search', new Uint8Array(body), encoding);
      expect([status, ErrorAnswer.parse(parsed).error.type]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('an answer from a provider', () => {
  const questions = {
    '/v1/search': { query: 'solar', provider: 'engine_a' },
    '/v1/extract': { urls: ['https://pages.example/1'], provider: 'engine_a' },
  };
  for (const encoding of encodings) {
    for (const [path, question] of Object.entries(questions)) {
      test(`in ${encoding} that unpacks beyond the limit of ${path} gives a 502`, async () => {
        const body = bombs.get(encoding) ?? new Uint8Array();
        answer = () => new Response(body, { headers: { 'content-encoding': encoding } });
        const { status, text } = await gateway().post(path, question);
        expect(status).toBe(502);
        expect(text).toContain('is larger than');
        expect(await gateway().peakMemoryBytes()).toBeLessThan(maxMemoryBytes);
      });
    }
  }
});
