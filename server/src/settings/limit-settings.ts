// The settings that limit what is in progress and what is stored.
import type { z } from 'zod';
import { whole } from './setting-values.ts';
import { longestQueueMs } from '../platform/time-limits.ts';

export interface LimitSettings {
  /** The maximum number of concurrent requests. More are refused. */
  max_requests: number;
  /** How much memory long texts may take while they are in progress. */
  max_bytes_in_progress_mb: number;
  /** Below this, requests that need disk space in the data folder are refused. 0 means no limit. */
  min_free_disk_mb: number;
  /** How much one account may store: uploads, transcripts, stored answers, tags. */
  max_stored_mb: number;
  /** The limits of concurrent and waiting calls to one provider, and of their wait. */
  provider_concurrency: number;
  provider_queue: number;
  provider_queue_ms: number;
}

export const limitVariables = {
  TRIVIUM_MAX_REQUESTS: whole(1, 60_000, 4096),
  TRIVIUM_MAX_BYTES_IN_PROGRESS_MB: whole(1, 1_000_000, 64),
  TRIVIUM_MIN_FREE_DISK_MB: whole(0, 1_000_000, 64),
  TRIVIUM_MAX_STORED_MB: whole(1, 1_000_000_000, 10_240),
  TRIVIUM_PROVIDER_CONCURRENCY: whole(1, 60_000, 2048),
  TRIVIUM_PROVIDER_QUEUE: whole(0, 60_000, 1024),
  TRIVIUM_PROVIDER_QUEUE_MS: whole(1, longestQueueMs, 2000),
};

type Values = { [Name in keyof typeof limitVariables]: z.output<(typeof limitVariables)[Name]> };

export function readLimits(v: Values): LimitSettings {
  return {
    max_requests: v.TRIVIUM_MAX_REQUESTS,
    max_bytes_in_progress_mb: v.TRIVIUM_MAX_BYTES_IN_PROGRESS_MB,
    min_free_disk_mb: v.TRIVIUM_MIN_FREE_DISK_MB,
    max_stored_mb: v.TRIVIUM_MAX_STORED_MB,
    provider_concurrency: v.TRIVIUM_PROVIDER_CONCURRENCY,
    provider_queue: v.TRIVIUM_PROVIDER_QUEUE,
    provider_queue_ms: v.TRIVIUM_PROVIDER_QUEUE_MS,
  };
}
