// The typed client and the command line transcribe a file of this machine.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createClient } from '@trivium/sdk';
import { startStubGateway } from '@trivium/sdk/stub-gateway';
import { sharedGateway } from '../harness.ts';
import { runToEnd } from '../run-to-end.ts';
import { makeWav } from './recordings.ts';

const gateway = sharedGateway();
const folder = mkdtempSync(join(tmpdir(), 'trivium-clients-'));
const file = join(folder, 'talk.wav');
const talk = makeWav(400_000);
writeFileSync(file, talk);
afterAll(() => rmSync(folder, { recursive: true }));

const client = () => createClient({ url: gateway().url, api_key: gateway().key });
const left = () => readdirSync(join(gateway().store_dir, 'uploads'));

describe('the typed client', () => {
  test.each([
    ['a path', () => file],
    ['a Blob', () => new Blob([talk])],
    ['a stream', () => new Blob([talk]).stream()],
  ])('transcribes %s', async (_name, source) => {
    const { id } = await client().transcribe({ file: source(), provider: 'stt_b' });
    expect((await client().jobs.wait(id)).result.text).toContain('note to myself');
  });

  test('sends the name of a file, in any script', async () => {
    const named = join(folder, "Café's (1) 会議.wav");
    writeFileSync(named, talk);
    const name = basename(named);
    await using stub = startStubGateway([() => Response.json({ id: 'upl_1' })]);
    const { uploads } = createClient({ url: stub.url, api_key: 'sk_live_test' });
    for (const source of [named, new File([talk], name), new Blob([talk])]) {
      await uploads.create(source).catch(() => undefined);
    }
    const sent = stub.requests.map(({ headers }) => headers.get('content-disposition'));
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;
    expect(sent).toEqual([disposition, disposition, null]);
  });

  test('deletes the upload of a refused request', async () => {
    const before = left();
    const request = { file, language: 'not a language' };
    const error: unknown = await client()
      .transcribe(request)
      .catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ status: 400 });
    expect(left()).toEqual(before);
  });
});

test('the command line prints subtitles of a file', async () => {
  const { url, key } = gateway();
  const program = [process.execPath, 'cli/bin/trivium.mjs', 'transcribe', file, '--vtt'];
  const { code, out } = await runToEnd(program, {
    env: { ...process.env, TRIVIUM_URL: url, TRIVIUM_API_KEY: key },
  });
  expect([code, out]).toEqual([0, expect.stringMatching(/^WEBVTT\n/)]);
});
