// The entry point: reads the environment, starts the gateway, and stops it on SIGINT or SIGTERM.
import { readSettings, SettingsError } from './platform/settings.ts';
import { StartError } from './platform/start-error.ts';
import { providers } from './providers/registry.ts';
import { startGateway } from './app/start.ts';

/** Until the gateway has started, there is nothing to stop. */
let stop: () => Promise<void> = () => Promise.resolve();
stopOnSignals(() => stop());
try {
  const settings = readSettings(process.env, Object.values(providers));
  const gateway = await startGateway(settings, (text) => process.stdout.write(text));
  stop = gateway.stop;
} catch (error) {
  if (!(error instanceof StartError || error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/**
 * The same signal often arrives twice, from the terminal and from the parent process. Only a later
 * one forces the exit.
 */
function stopOnSignals(close: () => Promise<void>): void {
  const forceAfterMs = 1000;
  let signaledAt = 0;
  const onSignal = () => {
    if (signaledAt > 0) {
      if (performance.now() - signaledAt > forceAfterMs) process.exit(1);
      return;
    }
    signaledAt = performance.now();
    void close().then(() => process.exit(0));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
