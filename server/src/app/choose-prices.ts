// The prices of this deployment: the built-in list, overridden by the operator's price file.
import { overridePrices } from '../billing/core/price-overrides.ts';
import { listPrices } from '../providers/shared/list-prices.ts';
import type { PriceTable } from '../billing/core/prices.ts';
import { readPricesFile } from '../platform/prices-file.ts';
import { StartError } from '../platform/start-error.ts';

export function choosePrices(file: string | undefined): PriceTable {
  if (file === undefined) return listPrices;
  const { prices, faults } = overridePrices(listPrices, readPricesFile(file));
  if (faults.length === 0) return prices;
  throw new StartError(`The price file ${file} has faults:\n${faults.join('\n')}`);
}
