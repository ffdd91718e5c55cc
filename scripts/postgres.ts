// A real PostgreSQL for the duration of a test run: found or installed, started, and removed.
import { SQL } from 'bun';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { chooseAccount, makePrivateFolder, runAs, type Account } from './postgres-account.ts';
import { postgresSources, type PostgresSource } from './postgres-binaries.ts';
import { removeWhenWeAreGone } from './postgres-watcher.ts';

const maxConnections = 200;
const portAttempts = 3;
const readyTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;
const pollMs = 25;
const initdbTimeoutMs = 120_000;
const logLinesShown = 10;
// The eighth line of postmaster.pid is the state of the server.
const stateLine = 7;

export interface Postgres {
  /** URL of the maintenance database; its user may create others. */
  url: string;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
  /** Restarts the server gracefully, on the same port and data. */
  restart(): Promise<void>;
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  /** Kills the server and its sessions, as a crash of the machine would. */
  killServer(): Promise<void>;
  /** Freezes the server and its sessions, like a machine that hangs. */
  freezeServer(): void;
  /** Lets the frozen server continue. */
  thawServer(): void;
  /** Restarts the server with a standby; a synchronous one has each commit first. */
  addStandby(replication?: 'synchronous' | 'asynchronous'): Promise<Standby>;
}

export interface Standby {
  url: string;
  /** Makes it the primary. */
  promote(): Promise<void>;
}

interface PostgresOptions {
  /** Off is faster, and loses data only if the machine crashes, not the server. */
  fsync?: boolean;
  /**
   * Off is for hundreds of databases that are dropped before they need it: its workers would use
   * three quarters of the processor time that making a database takes.
   */
  autovacuum?: boolean;
  sources?: PostgresSource[];
}

interface Installation {
  bin: string;
  folder: string;
  account: Account | undefined;
  fsync: boolean;
  autovacuum: boolean;
  /** The connection to the primary, for a standby. */
  primary?: string;
}

/** Starts a private PostgreSQL from the first source that works. */
export async function startPostgres({
  fsync = true,
  autovacuum = true,
  sources = postgresSources,
}: PostgresOptions = {}): Promise<Postgres> {
  const account = chooseAccount();
  const folder = makePrivateFolder(account);
  const remove = removeWhenWeAreGone(folder);
  const reasons: string[] = [];
  for (const source of sources) {
    try {
      for (const bin of await source.find(folder, account)) {
        try {
          return await begin({ bin, folder, account, fsync, autovacuum }, remove);
        } catch (error) {
          reasons.push(`${bin}: ${messageOf(error)}`);
          await rm(join(folder, 'data'), { recursive: true, force: true });
        }
      }
    } catch (error) {
      reasons.push(`${source.name}: ${messageOf(error)}`);
    }
  }
  await remove();
  const advice = 'Install it, with its programs on the PATH, and try again.';
  const failure = 'No PostgreSQL could be started, and the tests need a real one.';
  throw new Error([`${failure} ${advice}`, ...reasons].join('\n  '));
}

async function begin(installation: Installation, remove: () => Promise<void>): Promise<Postgres> {
  initialise(installation);
  const { server: first, port } = await launchOnFreePort(installation);
  let server: ChildProcess | undefined = first;
  const standbys: ChildProcess[] = [];
  const frozen: number[] = [];
  const stopServer = async () => {
    if (server !== undefined) await endServer(server);
    server = undefined;
  };
  const startServer = async () => {
    server ??= await launch(installation, port);
  };
  const thawServer = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  };
  return {
    url: urlOf(port),
    stop: async () => {
      thawServer();
      await stopServer();
      await Promise.all(standbys.map(endServer));
      await remove();
    },
    restart: async () => {
      await stopServer();
      await startServer();
    },
    stopServer,
    startServer,
    killServer: async () => {
      const killed = server;
      server = undefined;
      if (killed?.pid === undefined) return;
      const ended = once(killed, 'exit');
      killed.ref();
      process.kill(-killed.pid, 'SIGKILL');
      await ended;
    },
    freezeServer: () => {
      if (server?.pid === undefined) throw new Error('there is no server to freeze');
      // It must not start another one meanwhile.
      process.kill(server.pid, 'SIGSTOP');
      const children = childrenOf(server.pid);
      for (const pid of children) process.kill(pid, 'SIGSTOP');
      frozen.push(server.pid, ...children);
    },
    thawServer,
    addStandby: async (replication = 'synchronous') => {
      await stopServer();
      const copy = copyForStandby(installation, port);
      await startServer();
      const standby = await launchOnFreePort(copy);
      standbys.push(standby.server);
      const url = urlOf(standby.port);
      if (replication === 'synchronous') {
        await askServer(urlOf(port), "alter system set synchronous_standby_names = 'standby'");
        await askServer(urlOf(port), 'select pg_reload_conf()');
      }
      return { url, promote: () => askServer(url, 'select pg_promote()') };
    },
  };
}

function childrenOf(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout.matchAll(/(\d+) +(\d+)/g);
  return [...pairs].flatMap(([, pid, of]) => (Number(of) === parent ? Number(pid) : []));
}

function urlOf(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

async function askServer(url: string, statement: string): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe(statement);
  await sql.close();
}

/** A standby starts from a copy of the stopped primary's files. */
function copyForStandby(installation: Installation, port: number): Installation {
  const folder = join(installation.folder, 'standby');
  const data = join(folder, 'data');
  const { account } = installation;
  const copied = runAs(
    account,
    'sh',
    [
      '-c',
      'mkdir "$1" && cp -a "$2" "$3" && touch "$3/standby.signal"',
      'sh',
      folder,
      join(installation.folder, 'data'),
      data,
    ],
    {
      cwd: installation.folder,
      timeout: initdbTimeoutMs,
    },
  );
  if (copied.status !== 0) throw new Error(`the standby could not be made: ${copied.reason}`);
  const primary = `host=127.0.0.1 port=${port} user=postgres application_name=standby`;
  return { ...installation, folder, primary };
}

function initialise({ bin, folder, account }: Installation): void {
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const result = runAs(account, join(bin, 'initdb'), ['-D', join(folder, 'data'), ...options], {
    cwd: folder,
    timeout: initdbTimeoutMs,
  });
  if (result.status !== 0) throw new Error(`initdb failed: ${result.reason}`);
}

// Another program may take the port between the search for a free one and its use.
async function launchOnFreePort(installation: Installation) {
  let failure: unknown;
  for (let attempt = 0; attempt < portAttempts; attempt += 1) {
    const port = await findFreePort();
    try {
      return { server: await launch(installation, port), port };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function launch(installation: Installation, port: number): Promise<ChildProcess> {
  const { bin, folder, account } = installation;
  const log = openSync(join(folder, 'server.log'), 'a');
  // Its own process group: Ctrl-C goes to the tests, which then stop the server.
  const server = spawn(join(bin, 'postgres'), serverArguments(installation, port), {
    cwd: folder,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    ...account,
  });
  closeSync(log);
  server.unref();
  let failed: string | undefined;
  server.once('error', (error) => (failed = error.message));
  server.once('exit', (code, signal) => (failed = `it ended with ${signal ?? code}`));
  const deadline = Date.now() + readyTimeoutMs;
  while (!isReady(folder)) {
    if (failed !== undefined) throw new Error(`${failed}: ${lastLogLines(folder)}`);
    if (Date.now() > deadline) {
      await endServer(server);
      throw new Error(`not ready after ${readyTimeoutMs} ms: ${lastLogLines(folder)}`);
    }
    await Bun.sleep(pollMs);
  }
  return server;
}

function serverArguments(installation: Installation, port: number): string[] {
  const { folder, fsync, autovacuum, primary } = installation;
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: maxConnections,
    fsync: fsync ? 'on' : 'off',
    full_page_writes: fsync ? 'on' : 'off',
    autovacuum: autovacuum ? 'on' : 'off',
    shared_buffers: '128MB',
    jit: 'off',
    ...(primary === undefined ? {} : { primary_conninfo: primary }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', join(folder, 'data'), ...options];
}

function isReady(folder: string): boolean {
  try {
    const lines = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    return lines[stateLine]?.trim() === 'ready';
  } catch {
    return false;
  }
}

// SIGINT is PostgreSQL's fast shutdown: sessions are ended and the data is left consistent.
async function endServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.ref();
  server.kill('SIGINT');
  const impatience = setTimeout(() => server.kill('SIGKILL'), stopTimeoutMs);
  await ended;
  clearTimeout(impatience);
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

function lastLogLines(folder: string): string {
  const lines = readFileSync(join(folder, 'server.log'), 'utf8').trim().split('\n');
  return lines.slice(-logLinesShown).join(' | ');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
