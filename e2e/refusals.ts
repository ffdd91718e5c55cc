// Sends a table of requests that must be refused, and returns those that were not.
import type { Gateway } from './harness.ts';
import { InvalidRequest } from './shapes.ts';

/** Changes that make a valid request invalid, by the path that the error must name. */
export type Spoilt = readonly (readonly [path: string, changes: object])[];

/** Returns one line for every request that was not refused with a 400 that names the field. */
export async function findUnrefused(
  gateway: Gateway,
  endpoint: string,
  valid: object,
  spoilt: Spoilt,
): Promise<string[]> {
  const unrefused: string[] = [];
  for (const [path, changes] of spoilt) {
    const answer = await gateway.post(endpoint, { ...valid, ...changes });
    const parsed = InvalidRequest.safeParse(answer.body);
    const named = parsed.data?.error.detail.issues.map((issue) => issue.path) ?? [];
    if (answer.status !== 400 || !named.includes(path)) {
      const sent = JSON.stringify(changes);
      unrefused.push(`${path} of ${sent}: ${answer.status} naming [${named.join(', ')}]`);
    }
  }
  return unrefused;
}

/** Returns one line for every valid request that was refused. */
export async function findRefused(
  gateway: Gateway,
  endpoint: string,
  valid: object,
  variants: readonly object[],
): Promise<string[]> {
  const refused: string[] = [];
  for (const changes of variants) {
    const answer = await gateway.post(endpoint, { ...valid, ...changes });
    if (answer.status === 400) refused.push(`${JSON.stringify(changes)}: ${answer.text}`);
  }
  return refused;
}
