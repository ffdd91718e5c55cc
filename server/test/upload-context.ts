// The context of uploads for tests: files in a folder, and the clock of the test.
import { type Clock, systemClock } from '../src/platform/clock.ts';
import { makeReceiving } from '../src/uploads/index.ts';
import { openFileFolder } from '../src/uploads/file-store.ts';
import { makeLog } from '../src/platform/log.ts';
import type { Database } from '../src/store/database.ts';
import type { UploadContext } from '../src/uploads/context.ts';

/** No file is ever written here. */
const nowhere = '/nonexistent/uploads';

export function makeUploadContext(
  database: Database,
  folder = nowhere,
  clock: Clock = systemClock,
): UploadContext {
  return {
    database,
    clock,
    log: makeLog('silent'),
    secret: 'secret-of-the-tests',
    files: openFileFolder(folder),
    lengths: { read: () => Promise.resolve(null) },
    settings: { max_upload_mb: 1, keep_recording_hours: 0 },
    ownUrl: () => 'http://127.0.0.1:1',
    checkCaller: () => Promise.resolve(),
    countGateways: () => Promise.resolve(1),
    hasRoom: () => true,
    receiving: makeReceiving(),
  };
}

/** For calls that concern no upload: they must not query the store. */
export const noUploads = makeUploadContext({
  engine: 'sqlite',
  run: () => Promise.reject(new Error('This test has no uploads.')),
} as unknown as Database);
