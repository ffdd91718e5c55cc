// Runs the gateway under a supervisor: as one process, or as several behind one port that share a
// PostgreSQL database. The operating system distributes connections among them.
import { systemClock } from '../../platform/clock.ts';
import { listen } from '../../platform/listen.ts';
import { makeLog } from '../../platform/log.ts';
import type { Environment, Settings } from '../../settings/index.ts';
import { StartError } from '../../platform/start-error.ts';
import { openSandbox } from '../sandbox-mode.ts';
import { type Assignment, assignmentVariable, type FromProcess } from './supervised.ts';
import { type ChildProcess, supervise } from './supervisor.ts';

/** What the supervisor takes from its own process. */
interface Surroundings {
  env: Environment;
  platform: string;
  /** The command line that started this process. */
  command: readonly string[];
  onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
  /** Called when the first process serves requests. */
  onReady: () => void;
}

/** Resolves to the exit code. */
export async function runProcesses(
  settings: Settings,
  count: number,
  { env, platform, command, onSignal, onReady }: Surroundings,
): Promise<number> {
  if (count > 1) checkPlatform(platform);
  const port = await findPort(settings);
  const url = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
  const sandbox = settings.mode === 'sandbox' ? await openSandbox(settings, () => url) : undefined;
  const supervisor = supervise({
    count,
    clock: systemClock,
    log: makeLog(settings.log_level),
    start: (number, announces, onMessage) => {
      const shared = { sandboxUrl: sandbox?.url, sandboxSecret: sandbox?.secret };
      const assignment = { number, count, announces, ...shared };
      return startProcess(command, { ...env, PORT: String(port) }, assignment, onMessage);
    },
  });
  onSignal(supervisor.stop);
  void supervisor.ready.then(onReady);
  const exitCode = await supervisor.ended;
  await sandbox?.stop();
  return exitCode;
}

/** Throws if the store cannot be shared by several processes. */
export function checkStore({ processes, database_url }: Settings): void {
  if (processes === 1 || database_url !== undefined) return;
  throw new StartError(
    `TRIVIUM_PROCESSES=${processes} needs PostgreSQL: only one process can use the ` +
      'embedded SQLite store. Set DATABASE_URL (trivium migrate moves the store there), or ' +
      'remove TRIVIUM_PROCESSES.',
  );
}

function checkPlatform(platform: string): void {
  if (platform === 'linux') return;
  throw new StartError(
    'TRIVIUM_PROCESSES needs Linux: other systems do not distribute the connections of one ' +
      'port over several processes. Remove it, or start gateways on several ports behind a ' +
      'load balancer.',
  );
}

/**
 * A port that processes share does not refuse other programs of the same user, so the supervisor
 * checks that the ports are free. PORT=0 becomes a port that all processes use.
 */
async function findPort({ host, port, admin_port, metrics_port }: Settings): Promise<number> {
  const unavailable = () => new Response('The gateway is starting.', { status: 503 });
  let found = port;
  for (const at of new Set([port, admin_port ?? port, metrics_port ?? port])) {
    const listener = listen(host, at, unavailable, unavailable);
    if (at === 0) found = Number(new URL(listener.url).port);
    await listener.drain();
  }
  return found;
}

function startProcess(
  command: readonly string[],
  env: Environment,
  assignment: Assignment,
  onMessage: (message: FromProcess) => void,
): ChildProcess {
  const child = Bun.spawn([...command], {
    env: { ...env, [assignmentVariable]: JSON.stringify(assignment) },
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message: FromProcess) => onMessage(message),
  });
  return {
    exited: child.exited,
    get signalCode() {
      return child.signalCode;
    },
    kill: (signal) => child.kill(signal),
    send: (message) => {
      try {
        child.send(message);
      } catch {
        // The process has just ended.
      }
    },
  };
}
