// Weeks of which something was observed since their totals were made, over all gateways.
import type { Runner } from '../../store/index.ts';

interface ChangedWeek {
  week: number;
  changes: number;
}

export async function noteChange(on: Runner, week: number): Promise<void> {
  await on.run(
    `insert into quality_changes (week, changes, claimed_at) values ($1, 1, 0)
     on conflict (week) do update set changes = quality_changes.changes + 1`,
    [week],
  );
}

/** The newest week that no gateway has claimed since `before`; several gateways share the work. */
export async function claimChangedWeek(
  on: Runner,
  now: number,
  before: number,
): Promise<ChangedWeek | undefined> {
  const [row] = await on.run(
    `update quality_changes set claimed_at = $1 where claimed_at <= $2 and week =
       (select max(week) from quality_changes where claimed_at <= $2)
     returning week, changes`,
    [now, before],
  );
  return row && { week: Number(row['week']), changes: Number(row['changes']) };
}

/** A change that came after the claim stays, for a later round. */
export async function clearChange(on: Runner, { week, changes }: ChangedWeek): Promise<void> {
  await on.run('delete from quality_changes where week = $1 and changes = $2', [week, changes]);
}
