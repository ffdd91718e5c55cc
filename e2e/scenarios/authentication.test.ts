// Who may ask: every endpoint wants a key that we issued, in the one place where a key belongs.
import { expect } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '../endpoints.ts';
import { sharedGateway } from '../harness.ts';
import { ErrorAnswer } from '../shapes.ts';
import { scenario } from '../verifies.ts';

const gateway = sharedGateway();

scenario(
  'every endpoint turns away a request without a key',
  [
    'authentication.every-endpoint',
    'authentication.missing-key',
    'authentication.envelope',
    'errors.search.401',
    'errors.extract.401',
    'errors.transcription.401',
    'errors.jobs.401',
  ],
  async () => {
    for (const { method, path, body } of endpoints) {
      const answer = await gateway().ask(method, path, body, { authorization: null });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('unauthorized');
    }
  },
);

scenario(
  'a key that was never issued opens nothing, and is not repeated to anyone',
  ['authentication.invalid-key'],
  async () => {
    const { key } = gateway();
    const stranger = `sk_live_${randomBytes(32).toString('base64url')}`;
    const strangers = [
      stranger,
      key.slice(0, -1),
      `${key}A`,
      key.slice('sk_live_'.length),
      'x',
      '',
    ];
    for (const wrong of strangers) {
      for (const { method, path, body } of endpoints) {
        const headers = { authorization: `Bearer ${wrong}` };
        const answer = await gateway().ask(method, path, body, headers);
        expect([wrong, path, answer.status]).toEqual([wrong, path, 401]);
        expect(ErrorAnswer.parse(answer.body).error.type).toBe('unauthorized');
        expect(answer.text).not.toContain(stranger);
      }
    }
    expect(gateway().output()).not.toContain(stranger);
  },
);

scenario(
  'a key counts only as a bearer token in the Authorization header',
  ['authentication.bearer-header', 'settings.bootstrap-key'],
  async () => {
    const { key, post } = gateway();
    const question = { query: 'solar energy storage', provider: 'engine_a' };
    expect((await post('/v1/search', question)).status).toBe(200);

    const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    const elsewhere = [
      { authorization: key },
      { authorization: basic },
      { authorization: null, 'x-api-key': key },
      { authorization: null, cookie: `authorization=Bearer ${key}` },
    ];
    for (const headers of elsewhere) {
      expect((await post('/v1/search', question, headers)).status).toBe(401);
    }
    const in_query = await post(`/v1/search?api_key=${key}`, question, { authorization: null });
    expect(in_query.status).toBe(401);
  },
);

scenario(
  'the store keeps the hash of a key and its beginning, but not the key',
  ['money.key.only-hash-stored'],
  async () => {
    const { key, data_dir } = gateway();
    const stored = await readEverything(data_dir);
    expect(stored.includes(key)).toBe(false);
    expect(stored.includes(key.slice(0, 12))).toBe(true);
    expect(stored.includes(key.slice(0, 13))).toBe(false);
    const hash = createHash('sha256').update(key).digest();
    const written = [hash, hash.toString('hex'), hash.toString('base64url')];
    expect(written.some((form) => stored.includes(form))).toBe(true);
  },
);

async function readEverything(dir: string): Promise<Buffer> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Buffer.concat(
    await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))),
  );
}
