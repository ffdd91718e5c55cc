// Puts the house together from settings and opens the door; tests start real gateways through the
// same function.
import { list_prices } from './domain/prices.ts';
import { makeApp } from './http/app.ts';
import { accountRoutes } from './http/routes/account.ts';
import { callbackRoutes } from './http/routes/callbacks.ts';
import { extractRoutes } from './http/routes/extract.ts';
import { metaRoutes } from './http/routes/meta.ts';
import { providerRoutes } from './http/routes/providers.ts';
import { searchRoutes } from './http/routes/search.ts';
import { transcriptionRoutes } from './http/routes/transcriptions.ts';
import { system_clock } from './platform/clock.ts';
import { send } from './platform/http.ts';
import { newId } from './platform/ids.ts';
import { makeLog } from './platform/log.ts';
import { listen } from './platform/listen.ts';
import type { Settings } from './platform/settings.ts';
import { makeAuthenticator } from './services/authenticate.ts';
import { prepareAccounts } from './services/first-start.ts';
import type { House } from './services/house.ts';
import { makeLedger } from './services/ledger.ts';
import { startJobs } from './services/start-jobs.ts';
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
  const store = await openStore(settings, clock.now());
  const { upstreams, sandbox } = await chooseUpstreams(settings, Object.values(providers));
  const house: House = {
    settings,
    clock,
    log,
    send,
    database: store.database,
    ledger: makeLedger({ database: store.database, clock, log }),
    prices: list_prices,
    stations: makeStations(settings, upstreams),
  };
  const opening_usd = settings.bootstrap_balance_usd ?? (sandbox ? sandbox_opening_usd : 0);
  const first = await prepareAccounts(
    store.database,
    settings.bootstrap_key,
    clock.now(),
    opening_usd,
  );
  if (store.database.engine === 'sqlite') await sweepAtStart(house);
  const sweeping = startSweeping(house);
  const jobs = startJobs(house, store.secret);
  const sandbox_hosts = sandbox ? [new URL(sandbox.url).host] : [];
  const authenticator = makeAuthenticator(store.database, clock);
  const refreshing = setInterval(() => {
    authenticator
      .refresh()
      .catch((error: unknown) => log.warn({ err: error }, 'key refresh failed'));
  }, refresh_every_ms);
  const checkStore = async () => void (await store.database.run('select 1'));
  const app = makeApp({ authenticator, log, newRequestId: () => newId('req') }, [
    ...searchRoutes(house),
    ...extractRoutes(house),
    ...transcriptionRoutes(jobs.desk, sandbox_hosts),
    ...callbackRoutes(jobs.desk),
    ...accountRoutes(house),
    ...providerRoutes(house),
    ...metaRoutes({ checkStore }),
  ]);
  const door = listen(settings.host, settings.port, (request) => app.fetch(request));
  print(startUpLines({ house, url: door.url, store: store.name, sandbox: sandbox?.url, ...first }));
  return {
    url: door.url,
    stop: async () => {
      clearInterval(refreshing);
      sweeping.stop();
      await door.drain();
      await jobs.stop();
      await house.ledger.idle();
      await sandbox?.stop();
      await store.close();
    },
  };
}
