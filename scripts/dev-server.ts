// A development server of the dashboard: builds without minifying, with React's warnings, and reloads
// the browser after a change.
import { watch } from 'node:fs';
import { buildDashboard, pagePaths } from '@trivium/dashboard';
import type { Asset } from '@trivium/dashboard';

interface DevOptions {
  /** The address of the gateway that answers all calls. */
  gateway: string;
  port: number;
  /** A change in it builds the dashboard again. */
  folder: string;
  say: (line: string) => void;
}

interface DevServer {
  url: string;
  stop: () => Promise<void>;
}

/** Editors write a file in several steps. */
const gatherMs = 50;
/** Keeps the stream of changes open. */
const neverS = 0;

const reloadScript = `new EventSource('/dev/changes').onmessage = () => location.reload();`;

export async function startDevServer({
  gateway,
  port,
  folder,
  say,
}: DevOptions): Promise<DevServer> {
  let assets = await build();
  const listening = new Set<ReadableStreamDefaultController<string>>();
  const rebuild = async () => {
    const started = performance.now();
    try {
      assets = await build();
    } catch (error) {
      return say(String(error));
    }
    say(`built in ${Math.round(performance.now() - started)} ms`);
    for (const controller of listening) controller.enqueue('data: changed\n\n');
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watcher = watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void rebuild(), gatherMs);
  });
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: neverS,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/dev/changes') return changes(listening);
      if (pathname === '/dev/reload.js') {
        return new Response(reloadScript, { headers: { 'content-type': 'text/javascript' } });
      }
      const path = pagePaths.some((page) => page === pathname) ? '/' : pathname;
      const asset = request.method === 'GET' ? assets.get(path) : undefined;
      return asset ? fileOf(asset) : pass(request, gateway);
    },
  });
  return {
    url: server.url.origin,
    stop: async () => {
      clearTimeout(timer);
      watcher.close();
      await server.stop(true);
    },
  };
}

async function build(): Promise<Map<string, Asset>> {
  const built = await buildDashboard({ development: true });
  return new Map(built.map((asset) => [asset.path, asset]));
}

function fileOf({ path, type, body }: Asset): Response {
  const headers = { 'content-type': type, 'cache-control': 'no-store' };
  if (path !== '/') return new Response(body, { headers });
  const page = new TextDecoder().decode(body);
  const reload = '<script src="/dev/reload.js"></script>';
  return new Response(page.replace('</head>', `${reload}</head>`), { headers });
}

function changes(listening: Set<ReadableStreamDefaultController<string>>): Response {
  let own: ReadableStreamDefaultController<string> | undefined;
  const stream = new ReadableStream<string>({
    start: (controller) => {
      own = controller;
      listening.add(controller);
      controller.enqueue(': listening\n\n');
    },
    cancel: () => {
      if (own) listening.delete(own);
    },
  });
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}

/** The gateway accepts changes from its own origin only. */
async function pass(request: Request, gateway: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.delete('host');
  if (headers.has('origin')) headers.set('origin', new URL(gateway).origin);
  try {
    return await fetch(gateway + pathname + search, {
      method: request.method,
      headers,
      body: request.body,
      redirect: 'manual',
      decompress: false,
    });
  } catch {
    return new Response(`There is no gateway at ${gateway}. Start one with: npm start`, {
      status: 502,
    });
  }
}
