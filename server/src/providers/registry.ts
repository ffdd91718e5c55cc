// The registry: maps each provider id to its vendor's adapter.
import type { ProviderId } from '@trivium/contract';
import { assemblyai } from './assemblyai/adapter.ts';
import { brave } from './brave/adapter.ts';
import { deepgram } from './deepgram/adapter.ts';
import { elevenlabs } from './elevenlabs/adapter.ts';
import { exa } from './exa/adapter.ts';
import { firecrawl } from './firecrawl/adapter.ts';
import { jina } from './jina/adapter.ts';
import { linkup } from './linkup/adapter.ts';
import { parallel } from './parallel/adapter.ts';
import { perplexity } from './perplexity/adapter.ts';
import type { Provider } from './provider.ts';
import { serper } from './serper/adapter.ts';
import { tavily } from './tavily/adapter.ts';
import { valyu } from './valyu/adapter.ts';
import { you } from './you/adapter.ts';

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
