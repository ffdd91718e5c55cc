// Reads single values from the metrics of a gateway.
import type { Client } from './http-client.ts';

export async function readGauge(gateway: Pick<Client, 'get'>, name: string): Promise<number> {
  const { text } = await gateway.get('/metrics');
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  if (line === undefined) throw new Error(`The metrics have no ${name}.`);
  return Number(line.slice(name.length + 1));
}
