// The control API of the speech vendors: their speed, and the recordings they accepted.
import { z } from 'zod';
import type { Routes, SandboxContext } from '../serve-vendor.ts';
import { acceptedIn, paceOf, retriesIn } from './work.ts';

const maxMs = 600_000;

const PaceChange = z.strictObject({
  processing_ms: z.int().min(0).max(maxMs).nullable().optional(),
  retry_every_ms: z.int().min(1).max(maxMs).optional(),
});

export function speechRoutes({ universe }: SandboxContext): Routes {
  const world = universe.seen(false);
  return {
    '/__sandbox/speech': {
      GET: () => Response.json({ pace: paceOf(world), accepted: acceptedIn(world) }),
      POST: async (request) => {
        const change = PaceChange.safeParse(await request.json().catch(() => undefined));
        if (!change.success) {
          return Response.json({ error: z.prettifyError(change.error) }, { status: 400 });
        }
        const { processing_ms, retry_every_ms } = change.data;
        const pace = paceOf(world);
        if (processing_ms !== undefined) pace.processing_ms = processing_ms ?? undefined;
        if (retry_every_ms !== undefined) {
          pace.retry_every_ms = retry_every_ms;
          // Pending retries use the new speed as well.
          for (const again of retriesIn(world)) world.later(retry_every_ms, again);
        }
        return Response.json({ pace });
      },
    },
  };
}
