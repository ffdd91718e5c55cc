// Starts the sandbox: one loopback server with every vendor under its mount.
import { createCalls } from './calls.ts';
import { controlRoutes } from './control.ts';
import { createFaults } from './faults.ts';
import { speechRoutes } from './speech/control.ts';
import { createReader } from './reader/reader.ts';
import type { Reader } from './reader/reader.ts';
import { publicWeb } from './reader/target.ts';
import type { Policy } from './reader/target.ts';
import { serveOther, vendorRoutes } from './serve-vendor.ts';
import type { Routes, SandboxContext } from './serve-vendor.ts';
import { vendors } from './vendors/index.ts';
import { openKeptCallbacks } from './speech/kept-callbacks.ts';
import { createUniverse } from './world.ts';
import type { Gateway } from './world.ts';

export type SandboxOptions = {
  /** 0, the default, uses any free port. */
  port?: number;
  hostname?: '127.0.0.1';
  now?: () => Date;
  /** True: the Firecrawl mount reads pages of the public web. A policy: only those it allows. */
  reader?: boolean | Policy;
  /** A URL where site owners can ask about the reader. */
  contact?: string;
  /** Set if the sandbox is part of a gateway, which then receives the callbacks. */
  gateway?: Gateway;
  /** A file for the callbacks that are still pending when the sandbox ends. */
  callbacks_file?: string;
};

export type Sandbox = { url: string; port: number; stop: () => Promise<void> };

/** Each vendor's mount and the gateway setting for it. */
export const mounts = vendors.map(({ mount, setting }) => ({ mount, setting }));

export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, hostname = '127.0.0.1', now = () => new Date() } = options;
  const faults = createFaults();
  const kept = openKeptCallbacks(options.callbacks_file);
  const universe = createUniverse(now, readerOf(options), faults, options.gateway, kept);
  const stage: SandboxContext = { calls: createCalls(), faults, universe, now };
  const vendorMounts = vendors.map(({ mount }) => mount);
  const tables = [
    controlRoutes(vendorMounts, stage),
    speechRoutes(stage),
    ...vendors.map((vendor) => vendorRoutes(vendor, stage)),
  ];
  const server = Bun.serve({
    port,
    hostname,
    routes: Object.assign({}, ...tables) as Routes,
    fetch: (request) => serveOther(request, stage),
    // An error of the sandbox itself must never look like a vendor's response.
    error: ({ message }) => Response.json({ sandbox_error: message }, { status: 500 }),
    idleTimeout: idleSeconds,
    maxRequestBodySize: maxBodyBytes,
  });
  for (const vendor of vendors) vendor.resume?.(universe.seen(false));
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
  return createReader(reader === true ? publicWeb : reader, contact);
}

const idleSeconds = 255;
/** The largest file that a vendor accepts. */
const maxBodyBytes = 5 * 1024 * 1024 * 1024;
