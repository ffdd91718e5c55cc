// Reads single values from the metrics of a gateway.
import type { Client } from './http-client.ts';
import { waitFor } from './wait-for.ts';

export async function readGauge(gateway: Pick<Client, 'get'>, name: string): Promise<number> {
  const { text } = await gateway.get('/metrics');
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  if (line === undefined) throw new Error(`The metrics have no ${name}.`);
  return Number(line.slice(name.length + 1));
}

/** Everything in progress has ended, and gave its memory back. */
export async function waitForNoBytes(gateway: Pick<Client, 'get'>): Promise<void> {
  await waitFor(() => readGauge(gateway, 'trivium_bytes_in_progress'), {
    what: 'no memory is counted any more',
    until: (bytes) => bytes === 0,
  });
}
