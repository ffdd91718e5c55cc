// Puts the house together from settings and opens the door; tests start real gateways through the
// same function.
import type { Hono } from 'hono';
import { overridePrices } from './domain/price-overrides.ts';
import { list_prices } from './domain/prices.ts';
import type { PriceTable } from './domain/prices.ts';
import { makeApp } from './http/app.ts';
import { accountRoutes } from './http/routes/account.ts';
import { adminRoutes } from './http/routes/admin.ts';
import { extractRoutes } from './http/routes/extract.ts';
import { metaRoutes } from './http/routes/meta.ts';
import { providerRoutes } from './http/routes/providers.ts';
import { searchRoutes } from './http/routes/search.ts';
import { surfaceRoutes } from './http/routes/surfaces.ts';
import { transcriptionRoutes } from './http/routes/transcriptions.ts';
import { system_clock } from './platform/clock.ts';
import { readDocs } from './platform/docs-folder.ts';
import { send } from './platform/http.ts';
import { newId } from './platform/ids.ts';
import { makeLog } from './platform/log.ts';
import { listen } from './platform/listen.ts';
import { readPricesFile } from './platform/prices-file.ts';
import type { Settings } from './platform/settings.ts';
import { StartError } from './platform/start-error.ts';
import { makeAuthenticator } from './services/authenticate.ts';
import { prepareAccounts } from './services/first-start.ts';
import type { House } from './services/house.ts';
import { makeLedger } from './services/ledger.ts';
import { prepareOperator } from './services/operator.ts';
import { startSweeping, sweepAtStart } from './services/sweep.ts';
import { openStore } from './store/open.ts';
import { makeStations } from './services/stations.ts';
import { providers } from './providers/index.ts';
import { chooseUpstreams } from './sandbox-mode.ts';
import { startUpLines } from './start-up-lines.ts';

export interface Gateway {
  url: string;
  stop: () => Promise<void>;
}

/** How often a gateway looks whether another one revoked a key. */
const refresh_every_ms = 500;
/** Enough to try everything, in a house where nothing is real. */
const sandbox_opening_usd = 10;

export async function startGateway(
  settings: Settings,
  print: (text: string) => void,
): Promise<Gateway> {
  const clock = system_clock;
  const log = makeLog(settings.log_level);
  const prices = choosePrices(settings.prices_file);
  const store = await openStore(settings, clock.now());
  const { upstreams, sandbox } = await chooseUpstreams(settings, Object.values(providers));
  const house: House = {
    settings,
    clock,
    log,
    send,
    database: store.database,
    ledger: makeLedger({ database: store.database, clock, log }),
    prices,
    stations: makeStations(settings, upstreams),
  };
  const opening_usd = settings.bootstrap_balance_usd ?? (sandbox ? sandbox_opening_usd : 0);
  const first = await prepareAccounts(
    store.database,
    settings.bootstrap_key,
    clock.now(),
    opening_usd,
  );
  const operator = await prepareOperator(store.database, settings.admin_token, clock.now());
  if (store.database.engine === 'sqlite') await sweepAtStart(house);
  const sweeping = startSweeping(house);
  const authenticator = makeAuthenticator(store.database, clock);
  const refreshing = setInterval(() => {
    authenticator
      .refresh()
      .catch((error: unknown) => log.warn({ err: error }, 'key refresh failed'));
  }, refresh_every_ms);
  const { isOperator } = operator;
  const dispatch = (request: Request) => app.fetch(request);
  const app: Hono = makeApp({ authenticator, isOperator, log, newRequestId: () => newId('req') }, [
    ...searchRoutes(house),
    ...extractRoutes(house),
    ...transcriptionRoutes(),
    ...accountRoutes(house),
    ...adminRoutes(house, authenticator),
    ...providerRoutes(house),
    ...metaRoutes({ checkStore: async () => void (await store.database.run('select 1')) }),
    ...surfaceRoutes({ docs: readDocs(), compat_provider: settings.compat_provider, dispatch }),
  ]);
  const door = listen(settings.host, settings.port, dispatch);
  print(
    startUpLines({
      house,
      url: door.url,
      store: store.name,
      sandbox: sandbox?.url,
      ...first,
      new_operator_token: operator.new_token,
    }),
  );
  return {
    url: door.url,
    stop: async () => {
      clearInterval(refreshing);
      sweeping.stop();
      await door.drain();
      await house.ledger.idle();
      await sandbox?.stop();
      await store.close();
    },
  };
}

function choosePrices(file: string | undefined): PriceTable {
  if (file === undefined) return list_prices;
  const { prices, faults } = overridePrices(list_prices, readPricesFile(file));
  if (faults.length === 0) return prices;
  throw new StartError(`The price file ${file} has faults:\n${faults.join('\n')}`);
}
