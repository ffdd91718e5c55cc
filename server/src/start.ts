// Puts the house together from settings and opens the door; tests start real gateways through the
// same function.
import { allRoutes } from './all-routes.ts';
import { choosePrices } from './choose-prices.ts';
import { openDoors } from './doors.ts';
import { openEntrance } from './entrance.ts';
import type { Entrance } from './entrance.ts';
import type { AppDevices } from './http/app.ts';
import type { Dispatch } from './http/dispatch.ts';
import { system_clock } from './platform/clock.ts';
import type { Clock } from './platform/clock.ts';
import { send } from './platform/http.ts';
import { newId } from './platform/ids.ts';
import { makeLog } from './platform/log.ts';
import type { Log } from './platform/log.ts';
import type { Settings } from './platform/settings.ts';
import { makeAuthenticator } from './services/authenticate.ts';
import type { Authenticator } from './services/authenticate.ts';
import { discoverParticulars } from './services/discover-particulars.ts';
import { prepareAccounts } from './services/first-start.ts';
import type { House } from './services/house.ts';
import { makeLedger } from './services/ledger.ts';
import { prepareOperator } from './services/operator.ts';
import type { OperatorCheck } from './services/operator.ts';
import { startJobs } from './services/start-jobs.ts';
import { startSweeping, sweepAtStart } from './services/sweep.ts';
import { makeTurnstile } from './services/turnstile.ts';
import { makeWatch, tellUnbooked, watchHouse } from './services/watch.ts';
import type { Watch } from './services/watch.ts';
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
/** How old the news may be of when a key was last used. */
const note_uses_every_ms = 60_000;
/** Who came by https comes by nothing else again; a browser that came by http ignores it. */
const only_over_tls = { 'strict-transport-security': 'max-age=31536000' };
/** Enough to try everything, in a house where nothing is real. */
const sandbox_opening_usd = 10;

export async function startGateway(
  settings: Settings,
  print: (text: string) => void,
): Promise<Gateway> {
  const clock = system_clock;
  const log = makeLog(settings.log_level);
  const observers = makeObservers(settings, log);
  const prices = choosePrices(settings.prices_file);
  const watch = makeWatch(observers.metrics);
  const store = await openStore(settings, clock.now(), tellUnbooked(watch, log));
  const { upstreams, sandbox } = await chooseUpstreams(settings, Object.values(providers));
  const stations = makeStations(settings, upstreams, clock);
  const { database } = store;
  const base = makeHouse({ settings, clock, log, database, prices, stations, watch }, observers);
  const { extras, told } = await discoverParticulars(base);
  const house: House = { ...base, settings: { ...settings, extras } };
  const opening_usd = settings.bootstrap_balance_usd ?? (sandbox ? sandbox_opening_usd : 0);
  const { bootstrap_key, admin_token } = settings;
  const first = await prepareAccounts(database, bootstrap_key, clock.now(), opening_usd);
  const operator = await prepareOperator(database, admin_token, clock.now());
  if (database.engine === 'sqlite') await sweepAtStart(house);
  const sweeping = startSweeping(house);
  const jobs = startJobs(house, store.secret);
  const sandbox_hosts = sandbox ? [new URL(sandbox.url).host] : [];
  const authenticator = makeAuthenticator(database, clock);
  const refreshing = every(refresh_every_ms, authenticator.refresh, log);
  const noting = every(note_uses_every_ms, authenticator.noteUses, log);
  const checkStore = async () => void (await database.run('select 1'));
  const entrance = await openEntrance(house, store.secret, sandbox !== undefined);
  const devices = makeAppDevices(house, authenticator, { ...operator, ...entrance }, observers);
  const readiness = { checkStore, renderMetrics: observers.metrics.render };
  const rooms = { house, authenticator, jobs: jobs.desk, sandbox_hosts, entrance };
  const dispatch: Dispatch = (request, id) => doors.dispatch(request, id);
  const doors = openDoors(settings, devices, allRoutes(rooms, readiness, dispatch));
  print(
    startUpLines({
      house,
      url: doors.url,
      store: store.name,
      sandbox: sandbox?.url,
      doors: doors.others,
      ...first,
      new_operator_token: operator.new_token,
      set_up_token: entrance.set_up_token,
      dashboard_url: doors.dashboard_url,
      told,
    }),
  );
  return {
    url: doors.url,
    stop: async () => {
      clearInterval(refreshing);
      clearInterval(noting);
      sweeping.stop();
      await doors.drain();
      await untilIdle(devices.room, clock);
      await jobs.stop();
      await authenticator.noteUses().catch(() => undefined);
      await house.ledger.idle();
      await observers.stop();
      await sandbox?.stop();
      await store.close();
    },
  };
}

/** A caller may be gone while the provider it had called still answers: that is paid for first. */
async function untilIdle(room: AppDevices['room'], clock: Clock): Promise<void> {
  const give_up_at = clock.ticks() + longest_unattended_ms;
  while (room.running() > 0 && clock.ticks() < give_up_at) await clock.sleep(idle_poll_ms);
}

const longest_unattended_ms = 30_000;
const idle_poll_ms = 20;

type HouseParts = Omit<House, 'send' | 'ledger'> & { watch: Watch };

function makeHouse(base: HouseParts, observers: Observers): House {
  const ledger = makeLedger({ ...base, onBatch: base.watch.batch });
  const house: House = { ...base, send: observers.watchSend(send), ledger };
  watchHouse(observers.metrics, house);
  return house;
}

function every(pause_ms: number, care: () => Promise<void>, log: Log) {
  return setInterval(() => {
    care().catch((error: unknown) => log.warn({ err: error }, 'care for the keys failed'));
  }, pause_ms);
}

function makeAppDevices(
  { settings, log, clock }: House,
  authenticator: Authenticator,
  { isOperator, sessions }: OperatorCheck & Pick<Entrance, 'sessions'>,
  { watchRequest: watch }: Observers,
): AppDevices {
  const limits = { most_running: settings.max_requests, most_waiting: 0, longest_wait_ms: 1 };
  const room = makeTurnstile(limits, clock);
  const newRequestId = () => newId('req');
  const headers = settings.public_url?.startsWith('https:') ? only_over_tls : {};
  return { authenticator, isOperator, sessions, log, newRequestId, room, headers, watch };
}
