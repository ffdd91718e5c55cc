// The registry: the one place where an id meets its vendor.
import type { ProviderId } from '@trivium/contract';
import { assemblyai } from './assemblyai.ts';
import { brave } from './brave.ts';
import { deepgram } from './deepgram.ts';
import { elevenlabs } from './elevenlabs.ts';
import { exa } from './exa.ts';
import { firecrawl } from './firecrawl.ts';
import { jina } from './jina.ts';
import { linkup } from './linkup.ts';
import { parallel } from './parallel.ts';
import { perplexity } from './perplexity.ts';
import type { Provider } from './provider.ts';
import { serper } from './serper.ts';
import { tavily } from './tavily.ts';
import { valyu } from './valyu.ts';
import { you } from './you.ts';

export const providers: Readonly<Record<ProviderId, Provider>> = {
  engine_a: exa,
  engine_b: parallel,
  engine_c: tavily,
  engine_d: brave,
  engine_e: serper,
  engine_f: firecrawl,
  engine_g: linkup,
  engine_h: valyu,
  engine_i: jina,
  engine_j: you,
  engine_k: perplexity,
  stt_a: assemblyai,
  stt_b: deepgram,
  stt_c: elevenlabs,
};
