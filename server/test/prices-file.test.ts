// The operator's price file, which the gateway reads when it starts.
import { test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SearchResponse } from '@trivium/contract';
import { expect, proves } from '../../e2e/proves.ts';
import { StartError } from '../src/platform/start-error.ts';
import { startExa } from './exa-upstream.ts';
import { openGateway } from './gateway.ts';

test('a gateway charges what the file says', async () => {
  using exa = startExa();
  exa.answer(() => Response.json({ results: [] }));
  using place = makeFolder({ engine_a: { search: { auto: 0.000123 } } });
  await using gateway = await openGateway(exa.url, place.settings);
  const { usage } = SearchResponse.parse(await (await gateway.search()).json());
  proves('money.price.overridable', () => expect(usage.cost_usd).toBe(0.000123));
});

test('a file with errors stops the start, and the message names all of them', async () => {
  using place = makeFolder({ engine_a: { search: { autp: 1, fast: -1 } } });
  const refused: unknown = await openGateway('http://127.0.0.1:1', place.settings).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(StartError);
  expect(String(refused)).toContain('engine_a.search.autp is not a rate');
  expect(String(refused)).toContain('engine_a.search.fast must not be negative');
});

test('a file that cannot be read stops the start', async () => {
  using place = makeFolder({});
  const settings = { ...place.settings, TRIVIUM_PRICES: join(place.folder, 'nowhere.json') };
  const refused: unknown = await openGateway('http://127.0.0.1:1', settings).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(StartError);
  expect(String(refused)).toContain('TRIVIUM_PRICES');
});

function makeFolder(prices: object) {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-prices-'));
  const file = join(folder, 'prices.json');
  writeFileSync(file, JSON.stringify(prices));
  return {
    folder,
    settings: {
      TRIVIUM_DATA_DIR: join(folder, 'data'),
      TRIVIUM_PRICES: file,
      TRIVIUM_BOOTSTRAP_BALANCE_USD: '1',
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
