// Counters of changes, so that gateways that share a store notice what another one has changed.
import type { Runner } from './database.ts';

export async function countChange(on: Runner, topic: string): Promise<void> {
  await on.run(
    `insert into changes (topic, counter) values ($1, 1)
     on conflict (topic) do update set counter = changes.counter + 1`,
    [topic],
  );
}

export async function readChange(on: Runner, topic: string): Promise<number> {
  const [row] = await on.run<{ counter: unknown }>('select counter from changes where topic = $1', [
    topic,
  ]);
  return Number(row?.counter ?? 0);
}
