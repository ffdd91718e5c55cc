// Uploads: recordings that callers send to the gateway, to transcribe them by their address.
import { z } from 'zod';
import { Timestamp } from './common.ts';

export const UploadId = z
  .string()
  .regex(/^upl_[0-9a-f]{32}$/, { error: 'Must be an upload id: upl_ and 32 hexadecimal digits.' });

export const Upload = z
  .object({
    id: UploadId.describe('The id of the upload.'),
    audio_url: z
      .string()
      .describe('Send it to POST /v1/transcriptions as audio_url. Anyone who knows it can listen.'),
    bytes: z.int().min(1).describe('The size of the file.'),
    duration_seconds: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'Its length, rounded up, as stated in the file; null if it cannot be read. A job ' +
          'for it holds the price of this length.',
      ),
    expires_at: Timestamp.describe(
      'When it is deleted, unless a job still needs it; it is deleted earlier when its ' +
        'last job ends.',
    ),
  })
  .describe('A recording that the gateway keeps for transcription.');
export type Upload = z.infer<typeof Upload>;

export const UploadDeleted = z
  .object({
    id: UploadId.describe('The id of the upload.'),
    deleted: z.literal(true).describe('Always true.'),
  })
  .describe('The upload was deleted.');
export type UploadDeleted = z.infer<typeof UploadDeleted>;
