// Weeks of which something was observed since their totals were made, over all gateways.
import { adding, query, type RowOf, type Runner, table, whole } from '../../store/index.ts';

const change = { week: whole, changes: whole };
const weeks = table('quality_changes', { ...change, claimed_at: whole });
const changed = weeks.omit('claimed_at');

type ChangedWeek = RowOf<typeof change>;

const addRows = weeks.insert({ end: adding('quality_changes', 'week', ['changes']) });

export async function noteChange(on: Runner, week: number): Promise<void> {
  await addRows(on, [{ week, changes: 1, claimed_at: 0 }]);
}

/** The newest week that no gateway has claimed since `before`; several gateways share the work. */
export function claimChangedWeek(
  on: Runner,
  now: number,
  before: number,
): Promise<ChangedWeek | undefined> {
  return query.row(
    on,
    changed.read,
    `update quality_changes set claimed_at = $1 where claimed_at <= $2 and week =
       (select max(week) from quality_changes where claimed_at <= $2)
     returning ${changed.columns}`,
    [now, before],
  );
}

/** A change that came after the claim stays, for a later round. */
export async function clearChange(on: Runner, { week, changes }: ChangedWeek): Promise<void> {
  await on.run('delete from quality_changes where week = $1 and changes = $2', [week, changes]);
}
