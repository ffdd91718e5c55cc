// The control API under /__sandbox: tests set faults here and read what each mount received.
import { Fault } from './faults.ts';
import type { Routes, SandboxContext } from './serve-vendor.ts';

export function controlRoutes(mounts: string[], { calls, faults }: SandboxContext): Routes {
  return {
    '/__sandbox/faults': {
      GET: () => Response.json({ faults: faults.list() }),
      POST: async (request) => {
        const parsed = Fault.safeParse(await request.json().catch(() => undefined));
        if (!parsed.success) {
          const issues = parsed.error.issues.map(
            ({ path, message }) => `${path.join('.')}: ${message}`,
          );
          return refuse(`This is not a fault: ${issues.join('; ')}`);
        }
        if (!mounts.includes(parsed.data.mount)) return refuseMount(parsed.data.mount, mounts);
        if (parsed.data.fault === 'slow' && parsed.data.delay_ms === undefined) {
          return refuse('A slow fault needs delay_ms.');
        }
        faults.add(parsed.data);
        return Response.json({ faults: faults.list() });
      },
      DELETE: ({ url }) => {
        faults.clear(mountIn(url));
        return Response.json({ faults: faults.list() });
      },
    },
    '/__sandbox/calls': {
      GET: ({ url }) => {
        const mount = mountIn(url) ?? '';
        if (!mounts.includes(mount)) return refuseMount(mount, mounts);
        return Response.json({ mount, calls: calls.list(mount) });
      },
      DELETE: () => {
        calls.clear();
        return Response.json({ calls: [] });
      },
    },
  };
}

function mountIn(url: string): string | undefined {
  return new URL(url).searchParams.get('mount') ?? undefined;
}

function refuse(error: string): Response {
  return Response.json({ error }, { status: 400 });
}

function refuseMount(mount: string, mounts: string[]): Response {
  return refuse(`No vendor is mounted at "${mount}". Known mounts: ${mounts.join(', ')}`);
}
