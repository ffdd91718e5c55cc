// The control API under /__sandbox: tests set faults here and read what each mount received.
import type { Context, Hono } from 'hono';
import { Fault } from './faults.ts';
import type { SandboxContext } from './serve-vendor.ts';

export function serveControl(app: Hono, mounts: string[], { calls, faults }: SandboxContext): void {
  app.get('/__sandbox/faults', (context) => context.json({ faults: faults.list() }));

  app.post('/__sandbox/faults', async (context) => {
    const parsed = Fault.safeParse(await context.req.json().catch(() => undefined));
    if (!parsed.success) {
      const issues = parsed.error.issues.map(
        ({ path, message }) => `${path.join('.')}: ${message}`,
      );
      return context.json({ error: `This is not a fault: ${issues.join('; ')}` }, 400);
    }
    if (!mounts.includes(parsed.data.mount)) return refuseMount(context, parsed.data.mount, mounts);
    if (parsed.data.fault === 'slow' && parsed.data.delay_ms === undefined) {
      return context.json({ error: 'A slow fault needs delay_ms.' }, 400);
    }
    faults.add(parsed.data);
    return context.json({ faults: faults.list() });
  });

  app.delete('/__sandbox/faults', (context) => {
    faults.clear(context.req.query('mount'));
    return context.json({ faults: faults.list() });
  });

  app.get('/__sandbox/calls', (context) => {
    const mount = context.req.query('mount') ?? '';
    if (!mounts.includes(mount)) return refuseMount(context, mount, mounts);
    return context.json({ mount, calls: calls.list(mount) });
  });

  app.delete('/__sandbox/calls', (context) => {
    calls.clear();
    return context.json({ calls: [] });
  });
}

function refuseMount(context: Context, mount: string, mounts: string[]): Response {
  const known = mounts.join(', ');
  return context.json({ error: `No vendor is mounted at "${mount}". Known mounts: ${known}` }, 400);
}
