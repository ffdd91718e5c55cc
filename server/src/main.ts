// The roof: reads the environment, puts the house together, opens the door, and closes it again in
// order.
import { readSettings, SettingsError } from './platform/settings.ts';
import { StartError } from './platform/start-error.ts';
import { providers } from './providers/index.ts';
import { startGateway } from './start.ts';

/** Asked to stop before the door is open, there is nothing to close. */
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
 * One signal often arrives twice, from the terminal and from the parent; only a later one means
 * "now".
 */
function stopOnSignals(close: () => Promise<void>): void {
  const impatient_after_ms = 1000;
  let asked_at = 0;
  const onSignal = () => {
    if (asked_at > 0) {
      if (performance.now() - asked_at > impatient_after_ms) process.exit(1);
      return;
    }
    asked_at = performance.now();
    void close().then(() => process.exit(0));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
