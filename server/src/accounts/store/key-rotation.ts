// Replaces the secret of a key. The previous one may work for a while longer.
import { countChange, query, type Runner } from '../../store/index.ts';

interface Rotation {
  id: string;
  hash: string;
  display: string;
  /** Until when the current secret will work. */
  previous_until: number;
}

/** 'installed' for the key from the settings, which only the settings can replace. */
export async function findBootstrapMark(on: Runner, id: string): Promise<string | null> {
  const select = 'select bootstrap from keys where id = $1 and bootstrap is not null';
  return (await query.texts(on, select, [id]))[0] ?? null;
}

async function changes(on: Runner, ...statement: Parameters<Runner['run']>): Promise<boolean> {
  const isChanged = await query.exists(on, ...statement);
  if (isChanged) await countChange(on, 'keys');
  return isChanged;
}

/** False if there is no such active key. */
export async function replaceSecret(on: Runner, to: Rotation): Promise<boolean> {
  return changes(
    on,
    `update keys set previous_hash = hash, previous_until = $1, hash = $2, display = $3
     where id = $4 and revoked_at is null returning id`,
    [to.previous_until, to.hash, to.display, to.id],
  );
}

/** False if no earlier secret is valid at this time. */
export async function endPreviousSecret(on: Runner, id: string, at: number): Promise<boolean> {
  return changes(
    on,
    `update keys set previous_hash = null, previous_until = null
     where id = $1 and revoked_at is null and previous_until > $2 returning id`,
    [id, at],
  );
}
