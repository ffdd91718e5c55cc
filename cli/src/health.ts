// Reads the public health information of a gateway.
import type { Context } from './command.ts';
import { plain } from './style.ts';

export async function readHealth({
  url,
  signal,
}: Pick<Context, 'url' | 'signal'>): Promise<{ version: string; mode: string }> {
  const response = await fetch(`${url()}/healthz`, { signal });
  const body = Object(await response.json().catch(() => undefined)) as Record<string, unknown>;
  const textOf = (value: unknown) => (typeof value === 'string' ? plain(value) : 'unknown');
  return { version: textOf(body['version']), mode: textOf(body['mode']) };
}
