// OpenAI's transcription formats, for applications that support only those.
import { z } from 'zod';

export const OpenAiError = z
  .object({
    error: z
      .object({
        message: z.string().describe('What went wrong and what to do about it.'),
        type: z.string().describe('invalid_request_error, or server_error from status 500 on.'),
        param: z.string().nullable().describe('The field of the form that is wrong.'),
        code: z.string().nullable().describe('The kind of error.'),
      })
      .describe('The error.'),
  })
  .describe('Every error response below /v1/audio has this body.');
export type OpenAiError = z.infer<typeof OpenAiError>;

const OpenAiSegment = z.looseObject({
  id: z.int().describe('Counted from 0.'),
  start: z.number().describe('Seconds from the start of the recording.'),
  end: z.number().describe('Seconds from the start of the recording.'),
  text: z.string().describe('What was said.'),
});

const OpenAiWord = z.object({
  word: z.string().describe('The word as the provider wrote it.'),
  start: z.number().describe('Seconds from the start of the recording.'),
  end: z.number().describe('Seconds from the start of the recording.'),
});

export const OpenAiTranscription = z
  .object({
    text: z.string().describe('The whole transcript.'),
    task: z.literal('transcribe').optional().describe('With verbose_json.'),
    language: z.string().optional().describe('The English name, with verbose_json.'),
    duration: z.number().optional().describe('In seconds, with verbose_json.'),
    segments: z.array(OpenAiSegment).optional().describe('With verbose_json.'),
    words: z.array(OpenAiWord).optional().describe('With verbose_json, if requested.'),
    usage: z
      .object({
        type: z.literal('duration').describe('Always duration.'),
        seconds: z.number().describe('The length of the recording, rounded up.'),
      })
      .optional()
      .describe('The length that was transcribed.'),
  })
  .describe("A transcript in OpenAI's format.");
export type OpenAiTranscription = z.infer<typeof OpenAiTranscription>;

export const OpenAiModelList = z
  .object({
    object: z.literal('list').describe('Always list.'),
    data: z
      .array(
        z.object({
          id: z.string().describe('A value for model.'),
          object: z.literal('model').describe('Always model.'),
          created: z.int().describe('Always 0.'),
          owned_by: z.string().describe('Always trivium.'),
        }),
      )
      .describe('The models.'),
  })
  .describe('The values that model can have.');
export type OpenAiModelList = z.infer<typeof OpenAiModelList>;
