// The fixtures of the tests: gateways, alone, in pairs or with a sandbox, for one test or for all tests
// of a block. They run in a process that all tests share, or in one of their own where a test needs it.
import { afterAll, afterEach, beforeAll } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orClose, runChild } from './child-process.ts';
import type { Child } from './child-process.ts';
import { createDatabase } from './database.ts';
import { hosts, startHosted } from './hosted.ts';
import { createClient, operatorTokenIn } from './http-client.ts';
import type { Client } from './http-client.ts';
import { secretsOf } from './secrets.ts';
import { startTestSandbox } from './test-sandbox.ts';
import type { TestSandbox } from './test-sandbox.ts';
import { vendorSettings } from './vendor-settings.ts';
import { waitFor } from './wait-for.ts';

export type Engine = 'SQLite' | 'PostgreSQL';
export const engines: readonly Engine[] = ['SQLite', 'PostgreSQL'];

export type GatewayOptions = {
  /** Overrides the settings of the harness; undefined removes a variable. */
  env?: Readonly<Record<string, string | undefined>>;
  /** The address of a sandbox process, or the gateway's own sandbox, which is the default. */
  sandbox?: string;
  data_dir?: string;
  database_url?: string;
  /** On PostgreSQL it gets a database of its own, which is dropped when it is closed. */
  engine?: Engine;
};

export type ProcessOptions = GatewayOptions & {
  /** Its working directory, where it looks for a .env file. */
  workingDir?: string;
  /** The entry file of another version of the gateway. */
  program?: string;
};

export type Gateway = Client &
  AsyncDisposable & {
    readonly url: string;
    readonly key: string;
    /** As configured; `store_dir` is where the embedded store of its mode is. */
    readonly data_dir: string;
    readonly store_dir: string;
    /** The settings by which another program uses its store. */
    readonly store: Readonly<Record<string, string>>;
    /** What it printed when it started last. */
    printed: () => string;
    /** Stops it in order. */
    stop: () => Promise<unknown>;
    /** Starts it again on the same data with the same settings; the address may change. */
    restart: () => Promise<void>;
    /** Ends it in any state and removes its files. */
    close: () => Promise<void>;
  };

export type GatewayProcess = Gateway & {
  /** The process id of the running (or last) process. */
  pid: () => number;
  /** What the running (or last) process has printed. */
  output: () => string;
  /** The peak memory of the running process; only on systems with /proc. */
  peakMemoryBytes: () => Promise<number>;
  /** Sends a signal to stop and returns the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number>;
  kill9: () => Promise<void>;
  /** Waits until it ends by itself, and returns the exit code. */
  ended: () => Promise<number>;
};

/** In a process that tests share; it ends in order. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  if (hosts.length === 0) return await startGatewayProcess(options);
  const place = await prepare(options);
  const start = () => orClose(startHosted('gateway', place.env), place.remove);
  let run = await start();
  return describe(place, () => run.url, {
    printed: () => run.printed,
    stop: () => run.stop(),
    restart: async () => {
      await run.stop();
      run = await start();
    },
    close: async () => {
      await run.stop();
      await place.remove();
    },
  });
}

/** In a process of its own, for tests that end it, read what it prints, or measure it. */
export async function startGatewayProcess(options: ProcessOptions = {}): Promise<GatewayProcess> {
  const place = await prepare(options);
  let run = await launch(place);
  const close = async () => {
    await run.child.end('SIGKILL');
    await place.remove();
  };
  const isPrinted = () => run.child.waitFor(printedKey);
  if (place.env['TRIVIUM_BOOTSTRAP_KEY'] === undefined) await orClose(isPrinted(), close);
  return describe(place, () => run.url, {
    printed: () => run.child.output(),
    pid: () => run.child.pid,
    output: () => run.child.output(),
    peakMemoryBytes: () => run.child.peakMemoryBytes(),
    stop: (signal: NodeJS.Signals = 'SIGTERM') => run.child.end(signal),
    ended: () => run.child.ended(),
    kill9: async () => void (await run.child.end('SIGKILL')),
    restart: async () => {
      await run.child.end('SIGTERM');
      run = await launch(place);
    },
    close,
  });
}

const printedKey = /sk_(?:live|test)_[\w-]{43}/;

function describe<Run extends Pick<Gateway, 'printed' | 'stop' | 'restart' | 'close'>>(
  place: Place,
  url: () => string,
  run: Run,
) {
  const { env, data_dir, store_dir, store } = place;
  const key = env['TRIVIUM_BOOTSTRAP_KEY'] ?? printedKey.exec(run.printed())?.[0] ?? '';
  // Only the first start prints it.
  let operatorToken = env['TRIVIUM_ADMIN_TOKEN'];
  const readOperatorToken = () => (operatorToken ??= operatorTokenIn(run.printed())) ?? key;
  const client = createClient(
    url,
    (path) => (path === '/metrics' ? readOperatorToken() : key),
    secretsOf(env),
  );
  return {
    ...client,
    get url() {
      return url();
    },
    ...{ key, data_dir, store_dir, store },
    ...run,
    restart: async () => {
      readOperatorToken();
      await run.restart();
    },
    [Symbol.asyncDispose]: run.close,
  };
}

/** For all tests of a block: opened before the first, disposed after the last. */
export function shared<T extends AsyncDisposable>(open: () => Promise<T>): () => T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return () => {
    if (opened === undefined) throw new Error('It exists only while the tests run.');
    return opened;
  };
}

export function sharedGateway(options: GatewayOptions = {}): () => Gateway {
  return shared(() => startGateway(options));
}

export function sharedGatewayProcess(options: ProcessOptions = {}): () => GatewayProcess {
  return shared(() => startGatewayProcess(options));
}

type Start<G extends Gateway> = (options: GatewayOptions) => Promise<G>;

export type GatewayPair<G extends Gateway = Gateway> = AsyncDisposable & { gateway: G; other: G };

/** Two gateways that share a PostgreSQL; SQLite belongs to one gateway, which then is both. */
export const startPair = (engine: Engine, options: GatewayOptions = {}) =>
  startTwo(startGateway, engine, options);

export const startPairOfProcesses = (engine: Engine, options: GatewayOptions = {}) =>
  startTwo(startGatewayProcess, engine, options);

async function startTwo<G extends Gateway>(
  start: Start<G>,
  engine: Engine,
  options: GatewayOptions,
): Promise<GatewayPair<G>> {
  await using stack = new AsyncDisposableStack();
  const env = { TRIVIUM_SECRET: newToken(), ...options.env };
  const gateway = stack.use(await start({ ...options, env, engine }));
  const { DATABASE_URL: database_url } = gateway.store;
  const same = { ...options, env: { ...env, TRIVIUM_BOOTSTRAP_KEY: gateway.key } };
  const other =
    database_url === undefined ? gateway : stack.use(await start({ ...same, database_url }));
  const stop = stack.move();
  return { gateway, other, [Symbol.asyncDispose]: () => stop.disposeAsync() };
}

export type WithSandbox = AsyncDisposable & { gateway: Gateway; sandbox: TestSandbox };

/** A gateway over a sandbox, for all tests of a block; each test begins without faults. */
export function sharedSandbox(env: Readonly<Record<string, string>> = {}): () => WithSandbox {
  const opened = shared(() => startWithSandbox({ env }));
  afterEach(() => opened().sandbox.clearFaults());
  return opened;
}

export async function startWithSandbox(options: GatewayOptions = {}): Promise<WithSandbox> {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await startTestSandbox());
  const gateway = stack.use(await startGateway({ ...options, sandbox: sandbox.url }));
  const stop = stack.move();
  return { gateway, sandbox, [Symbol.asyncDispose]: () => stop.disposeAsync() };
}

/** Starts a gateway that must refuse to run, and returns its exit code and output. */
export async function startRefused(
  options: ProcessOptions,
): Promise<{ exitCode: number; output: string }> {
  const place = await prepare(options);
  const child = runChild(place.program, place.env, place.workingDir);
  try {
    return { exitCode: await child.ended(), output: child.output() };
  } finally {
    await child.end('SIGKILL');
    await place.remove();
  }
}

const gateway = 'server/src/main.ts';
const healthLimitMs = 30_000;

type Place = {
  program: string;
  env: Readonly<Record<string, string | undefined>>;
  workingDir: string;
  data_dir: string;
  store_dir: string;
  store: Readonly<Record<string, string>>;
  remove: () => Promise<void>;
};

async function prepare(options: ProcessOptions): Promise<Place> {
  const home = await mkdtemp(join(tmpdir(), 'trivium-e2e-'));
  const { sandbox = 'built-in', data_dir = join(home, 'data'), workingDir = home } = options;
  const database = options.engine === 'PostgreSQL' ? await createDatabase() : undefined;
  const databaseUrl = options.database_url ?? database?.url;
  const env: Place['env'] = {
    PORT: '0',
    TRIVIUM_DATA_DIR: data_dir,
    TRIVIUM_BOOTSTRAP_KEY: `sk_live_${newToken()}`,
    // Outside the built-in sandbox an account starts without a balance and cannot pay for a search.
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '10',
    // There is no load balancer that has to notice the stop.
    TRIVIUM_DRAIN_MS: '0',
    ...(sandbox === 'built-in'
      ? { TRIVIUM_SANDBOX: 'on' }
      : { TRIVIUM_SANDBOX: 'off', ...vendorSettings(sandbox) }),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, TRIVIUM_SECRET: newToken() }),
    ...options.env,
  };
  const dir = env['TRIVIUM_DATA_DIR'] ?? data_dir;
  const storeDir = env['TRIVIUM_SANDBOX'] === 'on' ? join(dir, 'sandbox') : dir;
  const isNew =
    dir === join(home, 'data') &&
    env['DATABASE_URL'] === undefined &&
    env['TRIVIUM_SANDBOX'] !== undefined;
  // Another version has another schema.
  if (isNew && options.program === undefined) await copyTemplate(storeDir);
  return {
    program: options.program ?? gateway,
    env,
    workingDir,
    data_dir: dir,
    store_dir: storeDir,
    store: storeSettings(env, dir),
    remove: async () => {
      await rm(home, { recursive: true, force: true });
      await database?.[Symbol.asyncDispose]();
    },
  };
}

function storeSettings(env: Place['env'], dir: string): Readonly<Record<string, string>> {
  const { DATABASE_URL, TRIVIUM_SECRET } = env;
  const secret = TRIVIUM_SECRET === undefined ? {} : { TRIVIUM_SECRET };
  return DATABASE_URL === undefined
    ? { TRIVIUM_DATA_DIR: dir, ...secret }
    : { DATABASE_URL, ...secret };
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The empty store that `npm test` has migrated, which saves the migrations of each gateway. */
async function copyTemplate(storeDir: string): Promise<void> {
  const template = process.env['TRIVIUM_TEST_FILE_TEMPLATE'];
  if (template === undefined) return;
  await mkdir(storeDir, { recursive: true, mode: 0o700 });
  await copyFile(template, join(storeDir, 'trivium.sqlite'));
}

async function launch(place: Place): Promise<{ child: Child; url: string }> {
  const child = runChild(place.program, place.env, place.workingDir);
  const ready = async () => {
    const url = await child.waitFor(/listening on .*?(http:\/\/[^\s/]+)/);
    await waitUntilHealthy(url);
    return { child, url };
  };
  return orClose(ready(), async () => {
    await child.end('SIGKILL');
    await place.remove();
  });
}

async function waitUntilHealthy(url: string): Promise<void> {
  const isHealthy = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(isHealthy, { what: `${url} is healthy`, limitMs: healthLimitMs });
}

/** Waits until /readyz has this status, and returns the text of the answer. */
export async function untilReadyz(gateway: Client, status: number): Promise<string> {
  const read = () => gateway.get('/readyz', { authorization: null });
  const what = `/readyz is ${status}`;
  const { text } = await waitFor(read, { what, until: (answer) => answer.status === status });
  return text;
}
