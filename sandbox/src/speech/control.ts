// The control API of the speech vendors: how fast they work, and what they have accepted.
import type { Hono } from 'hono';
import { z } from 'zod';
import type { Stage } from '../serve-vendor.ts';
import { acceptedIn, paceOf, retriesIn } from './work.ts';

const MAX_MS = 600_000;

const PaceChange = z.strictObject({
  processing_ms: z.int().min(0).max(MAX_MS).nullable().optional(),
  retry_every_ms: z.int().min(1).max(MAX_MS).optional(),
});

export function serveSpeechControl(app: Hono, { universe }: Stage): void {
  const world = universe.seen(false);
  app.get('/__sandbox/speech', (context) =>
    context.json({ pace: paceOf(world), accepted: acceptedIn(world) }),
  );
  app.post('/__sandbox/speech', async (context) => {
    const change = PaceChange.safeParse(await context.req.json().catch(() => undefined));
    if (!change.success) return context.json({ error: z.prettifyError(change.error) }, 400);
    const { processing_ms, retry_every_ms } = change.data;
    const pace = paceOf(world);
    if (processing_ms !== undefined) pace.processing_ms = processing_ms ?? undefined;
    if (retry_every_ms !== undefined) {
      pace.retry_every_ms = retry_every_ms;
      // What waits already keeps to the new pace as well.
      for (const again of retriesIn(world)) world.later(retry_every_ms, again);
    }
    return context.json({ pace });
  });
}
