// API keys: only their digest is kept, with the first characters for display.
import type { ProviderId } from '@trivium/contract';
import type { Row, Runner } from '../platform/database.ts';

export interface KeyRecord {
  id: string;
  account_id: string;
  hash: string;
  expires_at: number | null;
  /** The only providers it may use; null for all. */
  providers: readonly ProviderId[] | null;
}

export interface NewKey {
  id: string;
  account_id: string;
  hash: string;
  name: string;
  display: string;
}

/** False when a key with this digest is there already. */
export async function insertKey(on: Runner, key: NewKey, at: number): Promise<boolean> {
  const rows = await on.run(
    `insert into keys (id, account_id, name, hash, display, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (hash) do nothing returning id`,
    [key.id, key.account_id, key.name, key.hash, key.display, at],
  );
  return rows.length === 1;
}

export async function findActiveKey(on: Runner, hash: string): Promise<KeyRecord | undefined> {
  const [row] = await on.run(
    `select id, account_id, hash, expires_at, providers from keys
     where hash = $1 and revoked_at is null`,
    [hash],
  );
  return row && readRecord(row);
}

function readRecord(row: Row): KeyRecord {
  const { expires_at, providers } = row;
  return {
    id: String(row['id']),
    account_id: String(row['account_id']),
    hash: String(row['hash']),
    expires_at: expires_at === null ? null : Number(expires_at),
    providers: typeof providers === 'string' ? (JSON.parse(providers) as ProviderId[]) : null,
  };
}

/** False when there is no such active key. The counter tells every gateway to forget what it remembers. */
export async function revokeKey(on: Runner, id: string, at: number): Promise<boolean> {
  const rows = await on.run(
    'update keys set revoked_at = $1 where id = $2 and revoked_at is null returning id',
    [at, id],
  );
  if (rows.length === 1) await countChange(on, 'keys');
  return rows.length === 1;
}

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
