// One sandbox process and one gateway over it, for all tests of a file.
import { afterAll, afterEach, beforeAll } from 'bun:test';
import { startGateway } from './harness.ts';
import type { Gateway } from './harness.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import type { SandboxProcess } from './sandbox-process.ts';

export type Pair = { gateway: Gateway; sandbox: SandboxProcess };

/** Runs from the first test to the last; faults are cleared after each test. */
export function sharedSandbox(env: Readonly<Record<string, string>> = {}): () => Pair {
  let pair: Pair | undefined;
  beforeAll(async () => {
    const sandbox = await startSandboxProcess();
    try {
      pair = { sandbox, gateway: await startGateway({ sandbox: sandbox.url, env }) };
    } catch (error) {
      await sandbox.stop();
      throw error;
    }
  }, hookLimitMs);
  afterEach(() => pair?.sandbox.clearFaults());
  afterAll(async () => {
    await pair?.gateway.close();
    await pair?.sandbox.stop();
  }, hookLimitMs);
  return () => {
    if (pair === undefined) throw new Error('Sandbox and gateway exist only while tests run.');
    return pair;
  };
}

const hookLimitMs = 60_000;
