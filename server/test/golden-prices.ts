// Reads `providers/<vendor>/golden-prices.json`: prices written by hand from the vendors' price
// lists, so that no price changes or disappears unnoticed. Never copy one from the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderId } from '@trivium/contract';
import type { ProductName } from '../src/billing/core/prices.ts';
import { vendorFolder } from './fixtures.ts';
import type { Options } from './price-of.ts';

export interface GoldenPrices {
  /** In US dollars, as the vendor publishes them. */
  rates_usd: Partial<Record<ProductName, Record<string, number>>>;
  /** The rates that are zero on purpose, as `<product> <rate>`. */
  free_rates?: string[];
  /**
   * What is held for ten results or one page with these native options. The first row of each
   * product has none.
   */
  holds_micro_usd?: Partial<Record<ProductName, [options: Options, microUsd: number][]>>;
  /** What an hour of audio costs on a model, asked for in this way. */
  hours_micro_usd?: [model: string, asked: AskedSpeech, microUsd: number][];
  /** The native options that the price rule reads although they cost nothing today. */
  free_options?: string[];
}

/** Parameters of a transcription; `options` are native. */
export interface AskedSpeech {
  diarize?: boolean;
  keyterms?: string[];
  language?: string;
  options?: object;
}

export function readGoldenPrices(id: ProviderId): GoldenPrices {
  const path = join(vendorFolder(id), 'golden-prices.json');
  return JSON.parse(readFileSync(path, 'utf8')) as GoldenPrices;
}
