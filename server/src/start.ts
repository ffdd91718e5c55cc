// Puts the house together from settings and opens the door; tests start real gateways through the
// same function.
import { allRoutes } from './all-routes.ts';
import { overridePrices } from './domain/price-overrides.ts';
import { list_prices } from './domain/prices.ts';
import type { PriceTable } from './domain/prices.ts';
import { openDoors } from './doors.ts';
import type { AppDevices } from './http/app.ts';
import { system_clock } from './platform/clock.ts';
import { send } from './platform/http.ts';
import { newId } from './platform/ids.ts';
import { makeLog } from './platform/log.ts';
import type { Log } from './platform/log.ts';
import { readPricesFile } from './platform/prices-file.ts';
import type { Settings } from './platform/settings.ts';
import { StartError } from './platform/start-error.ts';
import { makeAuthenticator } from './services/authenticate.ts';
import type { Authenticator } from './services/authenticate.ts';
import { prepareAccounts } from './services/first-start.ts';
import type { House } from './services/house.ts';
import { makeLedger } from './services/ledger.ts';
import { prepareOperator } from './services/operator.ts';
import type { OperatorCheck } from './services/operator.ts';
import { startJobs } from './services/start-jobs.ts';
import { startSweeping, sweepAtStart } from './services/sweep.ts';
import { makeTurnstile } from './services/turnstile.ts';
import { makeWatch, watchHouse } from './services/watch.ts';
import { openStore } from './store/open.ts';
import { makeStations } from './services/stations.ts';
import { providers } from './providers/index.ts';
import { chooseUpstreams } from './sandbox-mode.ts';
import { makeObservers } from './observe.ts';
import type { Observers } from './observe.ts';
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
  const observers = makeObservers(settings, log);
  const watch = makeWatch(observers.metrics);
  const prices = choosePrices(settings.prices_file);
  const store = await openStore(settings, clock.now());
  const { upstreams, sandbox } = await chooseUpstreams(settings, Object.values(providers));
  const house: House = {
    settings,
    clock,
    log,
    send: observers.watchSend(send),
    watch,
    database: store.database,
    ledger: makeLedger({ database: store.database, clock, log, onBatch: watch.batch }),
    prices,
    stations: makeStations(settings, upstreams, clock),
  };
  watchHouse(observers.metrics, house);
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
  const jobs = startJobs(house, store.secret);
  const sandbox_hosts = sandbox ? [new URL(sandbox.url).host] : [];
  const authenticator = makeAuthenticator(store.database, clock);
  const refreshing = startRefreshing(authenticator, log);
  const checkStore = async () => void (await store.database.run('select 1'));
  const devices = makeAppDevices(house, authenticator, operator, observers);
  const readiness = { checkStore, renderMetrics: observers.metrics.render };
  const rooms = { house, authenticator, jobs: jobs.desk, sandbox_hosts };
  const doors = openDoors(settings, devices, allRoutes(rooms, readiness));
  print(
    startUpLines({
      house,
      url: doors.url,
      store: store.name,
      sandbox: sandbox?.url,
      doors: doors.others,
      ...first,
      new_operator_token: operator.new_token,
    }),
  );
  return {
    url: doors.url,
    stop: async () => {
      clearInterval(refreshing);
      sweeping.stop();
      await doors.drain();
      await jobs.stop();
      await house.ledger.idle();
      await observers.stop();
      await sandbox?.stop();
      await store.close();
    },
  };
}

function startRefreshing(authenticator: Authenticator, log: Log) {
  return setInterval(() => {
    authenticator
      .refresh()
      .catch((error: unknown) => log.warn({ err: error }, 'key refresh failed'));
  }, refresh_every_ms);
}

function makeAppDevices(
  { settings, log, clock }: House,
  authenticator: Authenticator,
  { isOperator }: OperatorCheck,
  { watchRequest: watch }: Observers,
): AppDevices {
  const limits = { most_running: settings.max_requests, most_waiting: 0, longest_wait_ms: 1 };
  const room = makeTurnstile(limits, clock);
  return { authenticator, isOperator, log, newRequestId: () => newId('req'), room, watch };
}

function choosePrices(file: string | undefined): PriceTable {
  if (file === undefined) return list_prices;
  const { prices, faults } = overridePrices(list_prices, readPricesFile(file));
  if (faults.length === 0) return prices;
  throw new StartError(`The price file ${file} has faults:\n${faults.join('\n')}`);
}
