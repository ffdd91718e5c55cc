// An upload that was received in full.
import { dayMs, minuteMs } from '@trivium/contract/durations';

export interface StoredUpload {
  id: string;
  account_id: string;
  /** Its media type, as the gateway recognised it. */
  type: string;
  bytes: number;
  /** Its length, rounded up; null where it could not be read from the file. */
  seconds: number | null;
  created_at: number;
  expires_at: number;
}

/** Over all, which a slow mobile connection reaches. A slower sender is given up. */
export const slowestBytesPerSecond = 32 * 1024;

/** How long it is kept, unless a job needs it. */
export const uploadLifeMs = dayMs;
/** Of one that only its own request uses: the job begins as soon as the file is there. */
export const requestUploadLifeMs = 10 * minuteMs;
