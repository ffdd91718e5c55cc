// Authentication: every endpoint demands an issued key, and only as a bearer token.
import { test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '../endpoints.ts';
import { sharedGatewayProcess } from '../harness.ts';
import { ErrorAnswer } from '../shapes.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGatewayProcess();

test('every endpoint refuses a request without a key', async () => {
  for (const { method, path, body } of endpoints) {
    const answer = await gateway().ask(method, path, body, { authorization: null });
    proves(
      [
        'authentication.every-endpoint',
        'authentication.missing-key',
        'errors.search.401',
        'errors.extract.401',
        'errors.transcription.401',
        'errors.jobs.401',
      ],
      () => expect([path, answer.status]).toEqual([path, 401]),
    );
    proves('authentication.envelope', () =>
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('unauthorized'),
    );
  }
});

test('a key that was never issued gives a 401 and is neither returned nor logged', async () => {
  const { key } = gateway();
  const unissued = `sk_live_${randomBytes(32).toString('base64url')}`;
  const wrongKeys = [unissued, key.slice(0, -1), `${key}A`, key.slice('sk_live_'.length), 'x', ''];
  for (const wrong of wrongKeys) {
    for (const { method, path, body } of endpoints) {
      const headers = { authorization: `Bearer ${wrong}` };
      const answer = await gateway().ask(method, path, body, headers);
      proves('authentication.invalid-key', () => {
        expect([wrong, path, answer.status]).toEqual([wrong, path, 401]);
        expect(ErrorAnswer.parse(answer.body).error.type).toBe('unauthorized');
      });
      expect(answer.text).not.toContain(unissued);
    }
  }
  expect(gateway().output()).not.toContain(unissued);
});

test('a key is accepted only as a bearer token in the Authorization header', async () => {
  const { key, post } = gateway();
  const question = { query: 'solar energy storage', provider: 'engine_a' };
  await proves(['authentication.bearer-header', 'settings.bootstrap-key'], async () =>
    expect((await post('/v1/search', question)).status).toBe(200),
  );

  const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const elsewhere = [
    { authorization: key },
    { authorization: basic },
    { authorization: null, 'x-api-key': key },
    { authorization: null, cookie: `authorization=Bearer ${key}` },
  ];
  await proves('authentication.bearer-header', async () => {
    for (const headers of elsewhere) {
      expect((await post('/v1/search', question, headers)).status).toBe(401);
    }
  });
  const inQuery = await post(`/v1/search?api_key=${key}`, question, { authorization: null });
  expect(inQuery.status).toBe(401);
});

test('the store holds the hash and the first characters of a key, but not the key', async () => {
  const { key, data_dir } = gateway();
  const stored = await readEverything(data_dir);
  proves('money.key.only-hash-stored', () => {
    expect(stored.includes(key)).toBe(false);
    expect(stored.includes(key.slice(0, 12))).toBe(true);
    expect(stored.includes(key.slice(0, 13))).toBe(false);
    const hash = createHash('sha256').update(key).digest();
    const written = [hash, hash.toString('hex'), hash.toString('base64url')];
    expect(written.some((form) => stored.includes(form))).toBe(true);
  });
});

async function readEverything(dir: string): Promise<Buffer> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Buffer.concat(
    await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))),
  );
}
