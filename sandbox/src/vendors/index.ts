// The registry of the vendors that the sandbox simulates.
import type { Vendor } from '../vendor.ts';
import { assemblyai } from './assemblyai.ts';
import { brave } from './brave.ts';
import { deepgram } from './deepgram.ts';
import { elevenlabs } from './elevenlabs.ts';
import { exa } from './exa.ts';
import { firecrawl } from './firecrawl.ts';
import { jinaReader } from './jina-reader.ts';
import { jinaSearch } from './jina-search.ts';
import { linkup } from './linkup.ts';
import { parallel } from './parallel.ts';
import { perplexity } from './perplexity.ts';
import { serper } from './serper.ts';
import { serperScrape } from './serper-scrape.ts';
import { tavily } from './tavily.ts';
import { valyu } from './valyu.ts';
import { you } from './you.ts';

export const vendors: Vendor[] = [
  exa,
  parallel,
  tavily,
  brave,
  serper,
  serperScrape,
  firecrawl,
  linkup,
  valyu,
  jinaSearch,
  jinaReader,
  perplexity,
  you,
  assemblyai,
  deepgram,
  elevenlabs,
];
