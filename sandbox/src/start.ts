// Starts the sandbox: one loopback server with every vendor under its mount.
import { Hono } from 'hono';
import { createCalls } from './calls.ts';
import { serveControl } from './control.ts';
import { createFaults } from './faults.ts';
import { serveSpeechControl } from './speech/control.ts';
import { createReader } from './reader/reader.ts';
import type { Reader } from './reader/reader.ts';
import { public_web } from './reader/target.ts';
import type { Policy } from './reader/target.ts';
import { serveVendor } from './serve-vendor.ts';
import type { Stage } from './serve-vendor.ts';
import { vendors } from './vendors/index.ts';
import { createUniverse } from './world.ts';

export type SandboxOptions = {
  /** 0, the default, takes any free port. */
  port?: number;
  hostname?: '127.0.0.1';
  now?: () => Date;
  /** True lets the Firecrawl mount read real pages of the public web; a policy, those it allows. */
  reader?: boolean | Policy;
  /** An address at which owners of sites can ask about the reader. */
  contact?: string;
};

export type Sandbox = { url: string; port: number; stop: () => Promise<void> };

/** Each vendor's mount and the gateway setting that must point at it. */
export const mounts = vendors.map(({ mount, setting }) => ({ mount, setting }));

export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, hostname = '127.0.0.1', now = () => new Date() } = options;
  const faults = createFaults();
  const universe = createUniverse(now, readerOf(options), faults);
  const stage: Stage = { calls: createCalls(), faults, universe, now };
  const app = new Hono();
  serveControl(
    app,
    vendors.map(({ mount }) => mount),
    stage,
  );
  serveSpeechControl(app, stage);
  for (const vendor of vendors) serveVendor(app, vendor, stage);
  // A fault of the sandbox itself must never look like a vendor's answer.
  app.onError((error, context) => context.json({ sandbox_error: error.message }, 500));
  const server = Bun.serve({
    port,
    hostname,
    fetch: app.fetch,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  return Promise.resolve({
    url: server.url.origin,
    port: server.port ?? port,
    stop: async () => {
      universe.stop();
      await server.stop(true);
    },
  });
}

function readerOf({ reader = false, contact }: SandboxOptions): Reader | undefined {
  if (reader === false) return undefined;
  return createReader(reader === true ? public_web : reader, contact);
}

const IDLE_SECONDS = 255;
const MAX_BODY_BYTES = 8 * 1024 * 1024;
