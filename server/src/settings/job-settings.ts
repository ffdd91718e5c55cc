// The settings of transcription jobs: how long they may take, and what they hold and may cost.
import { maxAudioMinutes } from '@trivium/contract';
import { z } from 'zod';
import { usdUpTo, whole } from './setting-values.ts';

export interface JobSettings {
  job_deadline_minutes: number;
  job_hold_minutes: number;
  /** The longest recording that is assumed for a job of unknown length. */
  max_audio_minutes: number;
  /** How far below zero the open jobs of an account may take its balance. */
  overdraft_usd: number;
}

export const jobVariables = {
  TRIVIUM_JOB_DEADLINE_MINUTES: whole(1, 10_080, 120),
  TRIVIUM_JOB_HOLD_MINUTES: whole(1, 1440, 60),
  TRIVIUM_MAX_AUDIO_MINUTES: whole(1, maxAudioMinutes, 600),
  TRIVIUM_OVERDRAFT_USD: usdUpTo(10_000).default(5),
};

const JobVariables = z.object(jobVariables);

export function readJobSettings(v: z.infer<typeof JobVariables>): JobSettings {
  return {
    job_deadline_minutes: v.TRIVIUM_JOB_DEADLINE_MINUTES,
    job_hold_minutes: v.TRIVIUM_JOB_HOLD_MINUTES,
    max_audio_minutes: v.TRIVIUM_MAX_AUDIO_MINUTES,
    overdraft_usd: v.TRIVIUM_OVERDRAFT_USD,
  };
}
