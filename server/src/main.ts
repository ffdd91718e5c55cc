// The entry point: reads the environment, starts the gateway, and stops it on SIGINT or SIGTERM.
import { failureWords } from './platform/failure-words.ts';
import { readSettings } from './platform/settings.ts';
import { providers } from './providers/registry.ts';
import { startGateway } from './app/start.ts';
import type { StopOptions } from './app/shutdown.ts';

/** Until the gateway has started, there is nothing to stop. */
let stop: (options?: StopOptions) => Promise<void> = () => Promise.resolve();
let announceMs = 0;
stopOnSignals();
try {
  const settings = readSettings(process.env, Object.values(providers));
  const gateway = await startGateway(settings, (text) => process.stdout.write(text));
  stop = gateway.stop;
  announceMs = settings.drain_ms;
  void gateway.failed.then(endAfterFailure);
} catch (error) {
  const words = failureWords(error);
  if (words === undefined) throw error;
  process.stderr.write(`${words}\n`);
  process.exit(1);
}

/** Requests in progress may finish, and the supervisor sees that the gateway failed. */
async function endAfterFailure(reason: string): Promise<void> {
  process.stderr.write(`${reason} The gateway stops.\n`);
  await stop().catch(() => undefined);
  process.exit(1);
}

/**
 * SIGTERM comes from a supervisor, and the gateway announces its end first; SIGINT comes from a
 * person, who does not want to wait. A second signal ends the announcement, and one after that
 * forces the exit. The same signal often arrives twice, from the terminal and from the parent
 * process, so one that follows within a second does not count.
 */
function stopOnSignals(): void {
  const repeatedWithinMs = 1000;
  const hurry = new AbortController();
  let lastAt = -Infinity;
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (performance.now() - lastAt < repeatedWithinMs) return;
    lastAt = performance.now();
    if (isStopping && hurry.signal.aborted) process.exit(1);
    const isAnnounced = signal === 'SIGTERM' && announceMs > 0 && !isStopping;
    if (!isAnnounced) hurry.abort();
    if (isStopping) return;
    isStopping = true;
    void stop({ announceMs, hurry: hurry.signal }).then(() => process.exit(0));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
