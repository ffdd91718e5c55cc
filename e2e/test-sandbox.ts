// A sandbox beside a gateway, for scenarios that stop the gateway but not the providers.
import { tmpdir } from 'node:os';
import { orClose, runChild } from './child-process.ts';
import { hosts, startHosted } from './hosted.ts';
import type { Mount } from './vendor-settings.ts';

export type FaultOptions = {
  times?: number;
  delay_ms?: number;
  retry_after?: number;
  method?: string;
  path?: string;
};

export type ReceivedCall = {
  method: string;
  path: string;
  query: Record<string, string | string[]>;
  headers: Record<string, string>;
  body: unknown;
};

export type TestSandbox = AsyncDisposable & {
  /** Give it to a gateway as its `sandbox`. */
  url: string;
  fault: (mount: Mount, fault: string, options?: FaultOptions) => Promise<void>;
  clearFaults: () => Promise<void>;
  calls: (mount: Mount) => Promise<ReceivedCall[]>;
  clearCalls: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function startTestSandbox(): Promise<TestSandbox> {
  const { url, stop } = hosts.length > 0 ? await startHosted('sandbox', {}) : await startProcess();
  try {
    const { control, ...others } = controls(url);
    await control('POST', 'speech', { processing_ms: quickMs });
    return { url, ...others, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startProcess(): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = runChild('sandbox/src/main.ts', { PORT: '0' }, tmpdir());
  const stop = async () => void (await child.end('SIGKILL'));
  return { url: await orClose(child.waitFor(/ on (http:\/\/[^\s/]+)/), stop), stop };
}

function controls(url: string) {
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/__sandbox/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(controlLimitMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The sandbox refused ${method} ${path}: ${text}`);
    return JSON.parse(text) as unknown;
  };
  return {
    control,
    fault: async (mount: Mount, fault: string, options: FaultOptions = {}) => {
      await control('POST', 'faults', { mount, fault, ...options });
    },
    clearFaults: async () => void (await control('DELETE', 'faults')),
    calls: async (mount: Mount) => {
      const answer = await control('GET', `calls?mount=${encodeURIComponent(mount)}`);
      return (answer as { calls: ReceivedCall[] }).calls;
    },
    clearCalls: async () => void (await control('DELETE', 'calls')),
  };
}

const controlLimitMs = 60_000;
/** A recording of a minute would take a second. */
const quickMs = 100;
