// The running gateways, on PostgreSQL. Each counts up its beat; one whose beat does not change is
// dead.
import type { Runner } from '../../store/index.ts';

export async function insertGateway(on: Runner, id: string): Promise<void> {
  await on.run('insert into gateways (id, beat) values ($1, 0)', [id]);
}

export async function countGateways(on: Runner): Promise<number> {
  const [row] = await on.run('select count(*) as count from gateways');
  return Number(row?.['count'] ?? 0);
}

/** Counts up the beat of one gateway, and returns the beats of all as they were before. */
export async function beat(on: Runner, id: string): Promise<Map<string, number>> {
  const rows = await on.run(
    `with own as (update gateways set beat = beat + 1 where id = $1)
     select id, beat from gateways`,
    [id],
  );
  return new Map(rows.map((row) => [String(row['id']), Number(row['beat'])]));
}

/** Afterwards this gateway cannot add to the journal. False when its beat has moved on. */
export async function removeGateway(on: Runner, id: string, lastBeat?: number): Promise<boolean> {
  const unchanged = lastBeat === undefined ? '' : ' and beat = $2';
  const values = lastBeat === undefined ? [id] : [id, lastBeat];
  const rows = await on.run(`delete from gateways where id = $1${unchanged} returning id`, values);
  return rows.length > 0;
}
