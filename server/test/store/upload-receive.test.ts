// A file that arrives in chunks, on both engines: stored whole, or not at all.
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import type { Caller } from '../../src/requests/index.ts';
import { whileReceiving } from '../../src/uploads/receive-upload.ts';
import { openUpload } from '../../src/uploads/stored-uploads.ts';
import { makeUploadContext } from '../upload-context.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const wave = new Uint8Array(1_048_577);
wave.set(new TextEncoder().encode('RIFF....WAVEfmt '));

const several = 'a gateway among several, each with a folder of its own';
const withBucket = 'a gateway among several, with one bucket';
const cases: readonly [what: string, sizes: readonly number[], outcome: number | string][] = [
  ['one chunk', [3000], 3000],
  ['many chunks', [5, 3000, 1, 100_000, 4000], 107_006],
  ['exactly the limit', [600_000, 448_576], 1_048_576],
  ['more than the limit', [600_000, 448_576, 1], '413'],
  ['nothing', [], '400'],
  ['no recording', [0, 16], '400'],
  [several, [3000], '503'],
  [withBucket, [3000], 3000],
];

describe.each(engines)('on $name', (engine) => {
  // The embedded store belongs to one gateway.
  const possible = cases.filter(([what]) => what !== several || engine.name === 'PostgreSQL');
  test.each(possible)('%s', async (what, sizes, outcome) => {
    await using store = await makeStore(engine);
    await insertAccount(store.database, { id: 'acct', name: 'a' }, 0);
    const folder = mkdtempSync(join(tmpdir(), 'trivium-uploads-'));
    const made = makeUploadContext(store.database, folder);
    const kind = what === withBucket ? 'bucket' : 'folder';
    const countGateways = async () => (what === several || kind === 'bucket' ? 2 : 1);
    const context = { ...made, files: { ...made.files, kind } as const, countGateways };
    const chunks = async function* () {
      let at = 0;
      for (const size of sizes) {
        yield what === 'no recording' ? new Uint8Array(size) : wave.slice(at, at + size);
        at += size;
      }
    };
    const caller = { account_id: 'acct', key_id: 'k' } as Caller;
    const received = await whileReceiving(context, caller, 1000, (put) => put(chunks())).then(
      (upload) => upload,
      (error: unknown) => String((error as { status?: unknown }).status),
    );
    if (typeof received === 'string') {
      expect([received, readdirSync(folder)]).toEqual([String(outcome), []]);
      expect(await store.database.run('select id from uploads')).toEqual([]);
    } else {
      expect<unknown>(received.bytes).toBe(outcome);
      const opened = await openUpload(context, received.id);
      expect<unknown>((await new Response(opened?.file.stream()).bytes()).length).toBe(outcome);
    }
    rmSync(folder, { recursive: true });
  });
});
