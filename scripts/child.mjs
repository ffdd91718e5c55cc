// Runs a program in the same terminal, forwards signals, and returns its exit code.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const signalExitBase = 128;

/** Resolves with the child's exit code, or with 128 + n if signal n ended it. */
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
      resolve(code ?? signalExitBase + constants.signals[signal]);
    });
  });
}

// Only the first of each signal is forwarded: a terminal and npm both send it, and a program that
// is shutting down gracefully may take a second one as a request to exit at once.
function forwardSignals(child) {
  const handlers = forwardedSignals.map((signal) => {
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
