// The prices of this deployment: the built-in list, overridden by the operator's price file.
import { overridePrices, type PriceTable } from '../billing/core/index.ts';
import { listPrices } from '../providers/index.ts';
import { StartError } from '../platform/start-error.ts';
import { readFileSync } from 'node:fs';

export function choosePrices(file: string | undefined): PriceTable {
  if (file === undefined) return listPrices;
  const { prices, faults } = overridePrices(listPrices, readPricesFile(file));
  if (faults.length === 0) return prices;
  throw new StartError(`The price file ${file} has errors:\n${faults.join('\n')}`);
}

/** Read once at start. */
function readPricesFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The price file ${path} cannot be read: ${reason}. Check TRIVIUM_PRICES.`);
  }
}
