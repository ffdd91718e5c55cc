// The prices of this deployment: the built-in list, overridden by the operator's price file.
import { overridePrices, type PriceTable } from '../billing/core/index.ts';
import { listPrices } from '../providers/index.ts';
import { readPricesFile } from '../platform/prices-file.ts';
import { StartError } from '../platform/start-error.ts';

export function choosePrices(file: string | undefined): PriceTable {
  if (file === undefined) return listPrices;
  const { prices, faults } = overridePrices(listPrices, readPricesFile(file));
  if (faults.length === 0) return prices;
  throw new StartError(`The price file ${file} has faults:\n${faults.join('\n')}`);
}
