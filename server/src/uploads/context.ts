// What the functions of this module use.
import type { Clock } from '../platform/clock.ts';
import type { ConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import type { Log } from '../platform/log.ts';
import type { Caller, StoredBytes } from '../requests/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Database } from '../store/index.ts';
import type { FileStore } from './file-store.ts';
import type { LengthReader } from './read-length.ts';

export interface UploadContext {
  database: Database;
  clock: Clock;
  log: Log;
  /** Signs the addresses of uploads. */
  secret: string;
  files: FileStore;
  lengths: LengthReader;
  settings: Pick<Settings, 'public_url' | 'max_upload_mb' | 'keep_recording_hours'>;
  /** Where callers reach this gateway if no public address is set. */
  ownUrl: () => string;
  countGateways: () => Promise<number>;
  /** False while the disk of the data folder is nearly full. */
  hasRoom: () => boolean;
  /** Throws unless the caller may transcribe, has money, and may store more. */
  checkCaller: (caller: Caller) => Promise<void>;
  /** How much the account stores. Absent if there is no limit. */
  stored?: StoredBytes;
  /** The uploads that this process is receiving. */
  receiving: { names: Set<string>; limiter: ConcurrencyLimiter };
}
