// An upload that was received in full.
import { dayMs, minuteMs } from '@trivium/contract/durations';

export interface StoredUpload {
  id: string;
  account_id: string;
  /** The media type that the gateway recognised. */
  type: string;
  bytes: number;
  /** The length, rounded up. Null if it could not be read from the file. */
  seconds: number | null;
  created_at: number;
  expires_at: number;
}

/**
 * The average over the whole upload, which a slow mobile connection reaches. The upload of a slower
 * sender is aborted.
 */
export const slowestBytesPerSecond = 32 * 1024;

/** How long an upload is kept, unless a job needs it. */
export const uploadLifeMs = dayMs;
/** For an upload that only its own request uses: the job begins as soon as the file has arrived. */
export const requestUploadLifeMs = 10 * minuteMs;
