// A file is on the disk before its upload is acknowledged: a power loss must not take it.
import { afterEach, expect, test } from 'bun:test';
import { machine } from '../platform/machine.ts';
import { openFileFolder } from './file-store.ts';

const { files } = machine;
afterEach(() => {
  machine.files = files;
});

test('a file is synced before it gets its name, and its name before it is finished', async () => {
  const done: string[] = [];
  const note = async (what: string) => void done.push(what);
  machine.files = {
    ...files,
    makeFolder: () => note('folder'),
    create: async (path) => ({
      write: async (_bytes, _at, length) => {
        await note(`write ${length}`);
        return { bytesWritten: length };
      },
      sync: () => note(`sync ${path}`),
      close: () => note('close'),
    }),
    rename: (from, to) => note(`rename ${from} ${to}`),
    syncFolder: (path) => note(`sync ${path}`),
  };
  const writer = await openFileFolder('/data/uploads').create('upl_1', 'audio/wav');
  await writer.write(new Uint8Array(7));
  await writer.finish();
  expect(done).toEqual([
    'folder',
    'write 7',
    'sync /data/uploads/upl_1.part',
    'close',
    'rename /data/uploads/upl_1.part /data/uploads/upl_1',
    'sync /data/uploads',
  ]);
});
