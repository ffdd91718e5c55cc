// Opens the place of uploads that the settings name: a bucket, or a folder of the data directory.
import { join, resolve } from 'node:path';
import { countGateways } from '../billing/store/gateways.ts';
import { openFileBucket } from '../platform/file-bucket.ts';
import { openFileFolder } from '../platform/file-folder.ts';
import type { UploadContext } from '../uploads/context.ts';
import { makeLengthReader } from '../uploads/read-length.ts';
import type { AppContext } from './context.ts';

export function openUploads(
  context: Pick<AppContext, 'settings' | 'database' | 'clock' | 'log' | 'writes'>,
  secret: string,
  ownUrl: () => string,
): UploadContext {
  const { settings, database, clock, log, writes } = context;
  const { bucket, data_dir } = settings;
  return {
    database,
    clock,
    log,
    secret,
    settings,
    ownUrl,
    files: bucket ? openFileBucket(bucket) : openFileFolder(join(resolve(data_dir), 'uploads')),
    lengths: makeLengthReader(),
    countGateways: () => countGateways(database),
    hasRoom: writes.hasRoom,
    receiving: { names: new Set(), byAccount: new Map() },
  };
}
