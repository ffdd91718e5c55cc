// The registry: every vendor the sandbox plays.
import type { Vendor } from '../vendor.ts';
import { assemblyai } from './assemblyai.ts';
import { deepgram } from './deepgram.ts';
import { elevenlabs } from './elevenlabs.ts';
import { exa } from './exa.ts';
import { perplexity } from './perplexity.ts';
import { you } from './you.ts';

export const vendors: Vendor[] = [exa, perplexity, you, assemblyai, deepgram, elevenlabs];
