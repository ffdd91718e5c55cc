// States of single sign-ons that were completed, until they have expired by themselves.
import { hourMs } from '@trivium/contract/durations';
import type { Runner } from '../../store/index.ts';

/** Longer than the library accepts a state. */
const keptMs = hourMs;

/** True for exactly one caller. Only verified id tokens get here, so a stranger adds no row. */
export async function claimState(on: Runner, digest: string, now: Date): Promise<boolean> {
  const at = now.toISOString();
  await on.run('delete from verifications where expires_at <= $1', [at]);
  const rows = await on.run(
    `insert into verifications (id, identifier, value, expires_at, created_at, updated_at)
     values ($1, 'single sign-on', '', $2, $3, $3) on conflict (id) do nothing returning id`,
    [digest, new Date(now.getTime() + keptMs).toISOString(), at],
  );
  return rows.length === 1;
}
