// The running gateways, on PostgreSQL. Each increments its beat; a gateway whose beat does not
// change is dead.
import { type KeyOfAccount, rateLimitKey } from '../../requests/core/index.ts';
import { inParts, query, reader, type Runner, table, text, whole } from '../../store/index.ts';

const gateways = table('gateways', { id: text, beat: whole });
export const insertGateways = gateways.insert();

export function countGateways(on: Runner): Promise<number> {
  return query.number(on, 'select count(*) from gateways');
}

/** Increments the beat of one gateway, and returns the previous beats of all. */
export async function beat(on: Runner, id: string): Promise<Map<string, number>> {
  const rows = await query.rows(
    on,
    gateways.read,
    `with own as (update gateways set beat = beat + 1 where id = $1)
     select id, beat from gateways`,
    [id],
  );
  return new Map(rows.map((row) => [row.id, row.beat]));
}

/** Afterwards the gateway cannot add to the journal. False if its beat has changed. */
export function removeGateway(on: Runner, id: string, lastBeat?: number): Promise<boolean> {
  const unchanged = lastBeat === undefined ? '' : ' and beat = $2';
  const values = lastBeat === undefined ? [id] : [id, lastBeat];
  return query.exists(on, `delete from gateways where id = $1${unchanged} returning id`, values);
}

/** The requests of a removed gateway have ended, so they are not counted. */
const countOpen = inParts(
  { account_id: text, key_id: text, now: whole },
  `select v.account_id, v.key_id, count(*) as requests
   from v join holds on holds.account_id = v.account_id
     and (v.key_id = '' or holds.key_id = v.key_id)
   where holds.gateway_id is not null and holds.expires_at > v.now
     and (holds.gateway_id = ''
       or exists (select 1 from gateways where gateways.id = holds.gateway_id))
   group by v.account_id, v.key_id`,
);

const readOpen = reader({ account_id: text, key_id: text, requests: whole });

/** By `rateLimitKey`: of each key, or of the account if the key is empty. */
export async function countInProgress(
  on: Runner,
  keys: readonly KeyOfAccount[],
  now: number,
): Promise<Map<string, number>> {
  const distinct = new Map(keys.map((key) => [rateLimitKey(key), key]));
  const rows = [...distinct.values()].map((key) => ({ ...key, now }));
  const found = (await countOpen(on, rows)).map(readOpen);
  return new Map(found.map(({ requests, ...key }) => [rateLimitKey(key), requests]));
}
