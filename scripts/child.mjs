// Runs one program in place of this one: same terminal, signals passed on, its exit code back.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const SIGNAL_EXIT_BASE = 128;

/** Resolves to the child's exit code, or to 128 + n when signal n ended it. */
export function runChild(command, args, { cwd, env = process.env, shell = false }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, shell, stdio: 'inherit' });
    const stopForwarding = forwardSignals(child);
    child.once('error', (error) => {
      stopForwarding();
      reject(new Error(`${command} could not be started: ${error.message}`));
    });
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve(code ?? SIGNAL_EXIT_BASE + constants.signals[signal]);
    });
  });
}

// Only the first of each is passed on: a terminal and npm both repeat a signal, and a program
// that closes down in order must not mistake the echo for impatience.
function forwardSignals(child) {
  const handlers = FORWARDED_SIGNALS.map((signal) => {
    let forwarded = false;
    const handler = () => {
      if (!forwarded) child.kill(signal);
      forwarded = true;
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}
