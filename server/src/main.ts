// The entry point: reads the environment, starts the gateway, and stops it on SIGINT or SIGTERM.
import { availableParallelism } from 'node:os';
import { checkStore, runProcesses } from './app/processes/run-processes.ts';
import { assignmentVariable, readSupervised } from './app/processes/supervised.ts';
import { describeFailure } from './platform/start-error.ts';
import { connectSystemd } from './platform/systemd.ts';
import { readSettings, type Settings } from './settings/index.ts';
import { providers } from './providers/index.ts';
import type { StopOptions } from './app/shutdown.ts';

keepLoopbackDirect(process.env);
// systemd watches the supervisor, and the supervisor watches its processes.
const isSupervised = process.env[assignmentVariable] !== undefined;
const systemd = connectSystemd(isSupervised ? {} : process.env);
const stopSignals = ['SIGINT', 'SIGTERM'] as const;
/** Nothing to stop until the gateway has started. */
let stop: (options?: StopOptions) => Promise<void> = () => Promise.resolve();
let announceMs = 0;
let onSignal = stopOnSignals();
for (const signal of stopSignals) process.on(signal, () => onSignal(signal));
try {
  const settings = readSettings(process.env, Object.values(providers));
  checkStore(settings);
  const supervised = readSupervised(process.env, process);
  const count = settings.processes === 'auto' ? availableParallelism() : settings.processes;
  const isSupervisor = supervised === undefined && (count > 1 || settings.watchdog);
  if (isSupervisor) await superviseAll(settings, count);
  await serve(settings, supervised);
} catch (error) {
  const words = describeFailure(error);
  if (words === undefined) throw error;
  process.stderr.write(`${words}\n`);
  process.exit(1);
}

async function serve(
  settings: Settings,
  supervised: ReturnType<typeof readSupervised>,
): Promise<void> {
  // Imported here because a process that only supervises others does not need it.
  const { startGateway } = await import('./app/start.ts');
  const { addressToOpen, openBrowser } = await import('./app/start-up-lines.ts');
  const print = (text: string) => {
    process.stdout.write(text);
    const address = process.argv.includes('--open') ? addressToOpen(text) : undefined;
    const advice = address === undefined ? undefined : openBrowser(address);
    if (advice !== undefined) process.stderr.write(advice);
  };
  const isSilent = supervised?.announces === false;
  // If the supervisor was killed, it cannot forward a signal.
  if (supervised) process.on('disconnect', () => onSignal('SIGINT'));
  const gateway = await startGateway(settings, isSilent ? () => undefined : print, supervised);
  stop = gateway.stop;
  announceMs = settings.drain_ms;
  void gateway.failed.then(endAfterFailure);
  supervised?.reportReady();
  systemd.ready();
}

async function superviseAll(settings: Settings, count: number): Promise<never> {
  const program = Bun.isStandaloneExecutable ? [] : [...process.execArgv, Bun.main];
  const exitCode = await runProcesses(settings, count, {
    env: process.env,
    platform: process.platform,
    command: [process.execPath, ...program, ...process.argv.slice(2)],
    onSignal: (listener) => {
      onSignal = (signal) => {
        systemd.stopping();
        listener(signal);
      };
    },
    onReady: systemd.ready,
  });
  process.exit(exitCode);
}

/** Requests in progress may finish, and the supervisor sees that the gateway failed. */
async function endAfterFailure(reason: string): Promise<void> {
  process.stderr.write(`${reason} The gateway stops.\n`);
  await stopOrReport();
  process.exit(1);
}

/** Returns the exit code. */
async function stopOrReport(options?: StopOptions): Promise<number> {
  try {
    await stop(options);
    return 0;
  } catch (error) {
    process.stderr.write(`${describeFailure(error) ?? String(error)}\n`);
    return 1;
  }
}

/**
 * SIGTERM comes from a supervisor: the gateway first announces that it is stopping, and waits for
 * synchronous transcriptions. SIGINT comes from a person, who does not want to wait. A second
 * signal ends the wait, and a third forces the exit. The same signal often arrives twice, from the
 * terminal and from the parent process, so one that follows within a second does not count.
 */
function stopOnSignals(): (signal: NodeJS.Signals) => void {
  const repeatedWithinMs = 1000;
  const hurry = new AbortController();
  let lastAt = -Infinity;
  let isStopping = false;
  return (signal) => {
    if (performance.now() - lastAt < repeatedWithinMs) return;
    lastAt = performance.now();
    if (isStopping && hurry.signal.aborted) process.exit(1);
    const isPatient = signal === 'SIGTERM' && !isStopping;
    if (!isPatient) hurry.abort();
    if (isStopping) return;
    isStopping = true;
    systemd.stopping();
    void stopOrReport({ announceMs, hurry: hurry.signal }).then((code) => process.exit(code));
  };
}

/**
 * Calls to this machine never use a proxy: the sandbox runs here, and a proxy elsewhere cannot reach
 * it. The runtime reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` at each call.
 */
function keepLoopbackDirect(env: Record<string, string | undefined>): void {
  const given = env['NO_PROXY'] ?? env['no_proxy'];
  const direct = [...(given ? [given] : []), '127.0.0.1', 'localhost', '[::1]'].join(',');
  env['NO_PROXY'] = direct;
  env['no_proxy'] = direct;
}
