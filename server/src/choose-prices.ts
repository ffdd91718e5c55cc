// The prices of this deployment: our list, and what the operator's file says otherwise.
import { overridePrices } from './domain/price-overrides.ts';
import { list_prices } from './providers/list-prices.ts';
import type { PriceTable } from './domain/prices.ts';
import { readPricesFile } from './platform/prices-file.ts';
import { StartError } from './platform/start-error.ts';

export function choosePrices(file: string | undefined): PriceTable {
  if (file === undefined) return list_prices;
  const { prices, faults } = overridePrices(list_prices, readPricesFile(file));
  if (faults.length === 0) return prices;
  throw new StartError(`The price file ${file} has faults:\n${faults.join('\n')}`);
}
