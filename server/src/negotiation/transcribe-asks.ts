// Flattens a transcription request into asks. The model is one of them, because other rows
// depend on it.
import type { TranscriptionRequest } from '@trivium/contract';
import type { Asks } from './support.ts';

/** What an adapter receives for a transcription: granted values only. */
export interface TranscribeAsk {
  model: string;
  language?: string;
  diarize?: boolean;
  keyterms?: string[];
  timestamps: string;
}

export type TranscribeParam = keyof TranscribeAsk;

/** Every transcription parameter, in the order of the interface. */
export const transcribeParams = Object.keys({
  model: 0,
  language: 0,
  diarize: 0,
  keyterms: 0,
  timestamps: 0,
} satisfies Record<TranscribeParam, 0>);

export function transcribeAsks(request: TranscriptionRequest, model: string): Asks {
  const { language, diarize, keyterms, timestamps } = request;
  return {
    model,
    ...(language === undefined ? {} : { language }),
    diarize,
    ...(keyterms === undefined ? {} : { keyterms }),
    timestamps,
  };
}
