// Budgets of tag values, and what the requests with a tag spend and hold by day.
import { budgetKey } from '../core/spending.ts';
import type { BudgetState, TagDay } from '../core/book.ts';
import { foldedDay } from '../../requests/core/index.ts';
import {
  inParts,
  orNull,
  query,
  reader,
  type RowOf,
  type Runner,
  sumsTable,
  table,
  text,
  whole,
} from '../../store/index.ts';

export interface TagValue {
  account_id: string;
  tag: string;
  value: string;
}

const ofValue = { account_id: text, tag: text, value: text };
const caps = { daily_cap: orNull(whole), monthly_cap: orNull(whole) };
const spent = { today: whole, this_month: whole };
const readValue = reader(ofValue);
const readState = reader({
  ...ofValue,
  ...caps,
  ...spent,
  exposed_today: whole,
  exposed_this_month: whole,
});
const used = { ...ofValue, ...caps, ...spent, created_at: whole };
const readBudget = reader(used);
const readUse = reader({ ...used, daily_alert: orNull(text), monthly_alert: orNull(text) });

const tagDayKey = 'account_id, tag, value, day';
const tagDays = sumsTable('tag_days', { ...ofValue, day: whole }, { spent: whole, held: whole });
const budgets = table('budgets', { ...ofValue, ...caps, created_at: whole });

const cappedValue = 'budgets.account_id, budgets.tag, budgets.value, daily_cap, monthly_cap';
const fromAsked = `from v join budgets on budgets.account_id = v.account_id
   and budgets.tag = v.tag and budgets.value = v.value`;

/** What was spent and is held on a day and in all, as columns of a sum over `daysSince`. */
const sumsWith = (today: string) => `
  coalesce(sum(case when day = ${today} then spent + tag_days.held end), 0) as today,
  coalesce(sum(spent + tag_days.held), 0) as this_month`;
const daysSince = (day: string) => `tag_days on tag_days.account_id = budgets.account_id
   and tag_days.tag = budgets.tag and tag_days.value = budgets.value and day >= ${day}`;

/** For both engines, which have no common function that finds a text in another. */
export const hasTag = (row: string) => `',' || ${row}.tags || ',' <> replace(
  ',' || ${row}.tags || ',', ',' || budgets.tag || '=' || budgets.value || ',', '')`;

const exposedSince = (day: string) => `(select coalesce(sum(exposure), 0) from holds
  where holds.account_id = budgets.account_id and exposure > 0 and ${hasTag('holds')}
    and holds.created_at >= cast(${day} as bigint) * 86400000)`;

const findStates = inParts(
  { ...ofValue, first_day: whole, today: whole },
  `select ${cappedValue}, ${sumsWith('v.today')}, ${exposedSince('v.today')} as exposed_today,
     ${exposedSince('v.first_day')} as exposed_this_month
   ${fromAsked} left join ${daysSince('v.first_day')}
   group by ${cappedValue}, v.first_day, v.today`,
);

/** Only tag values with a budget, by `budgetKey`. */
export async function findBudgets(
  on: Runner,
  values: readonly TagValue[],
  firstDay: number,
  today: number,
): Promise<Map<string, BudgetState>> {
  const rows = values.map((value) => ({ ...value, first_day: firstDay, today }));
  const states = (await findStates(on, rows)).map(readState);
  return new Map(
    states.map(({ account_id, tag, value, ...state }) => [
      budgetKey({ account_id, tag, value }),
      { budget: `${tag}=${value}`, ...state },
    ]),
  );
}

const findBudgetedRows = inParts(
  ofValue,
  `select budgets.account_id, budgets.tag, budgets.value ${fromAsked}`,
);

/** Which of these tag values have a budget, by `budgetKey`. */
export async function findBudgeted(
  on: Runner,
  values: readonly TagValue[],
): Promise<ReadonlySet<string>> {
  const found = (await findBudgetedRows(on, values)).map(readValue);
  return new Set(found.map(budgetKey));
}

export const addToTagDays = tagDays.add;

/** The tag values of an account that have a budget, as `team=search`. */
export function findBudgetNames(on: Runner, accountId: string): Promise<string[]> {
  return query.texts(on, `select tag || '=' || value from budgets where account_id = $1`, [
    accountId,
  ]);
}

/** Amounts in micro-USD, spent and held. A cap is null if there is none. */
export type BudgetRow = RowOf<typeof used>;

export function listBudgets(
  on: Runner,
  accountId: string,
  firstDay: number,
  today: number,
): Promise<BudgetRow[]> {
  return query.rows(
    on,
    readBudget,
    `select ${cappedValue}, created_at, ${sumsWith('$3')}
     from budgets left join ${daysSince('$2')} where budgets.account_id = $1
     group by ${cappedValue}, created_at order by budgets.tag, budgets.value`,
    [accountId, firstDay, today],
  );
}

/** With the last alert of each cap. */
export type BudgetUse = ReturnType<typeof readUse>;

/** How many budgets one read returns. */
const maxNear = 1000;

/**
 * The next budgets of all accounts, after the given one, that have used at least this share of a
 * cap. Empty after the last one.
 */
export function listNearBudgets(
  on: Runner,
  [firstDay, today]: readonly [number, number],
  percent: number,
  after: TagValue | undefined,
): Promise<BudgetUse[]> {
  const position = after ? [after.account_id, after.tag, after.value] : [];
  return query.rows(
    on,
    readUse,
    `select account_id, tag, value, daily_cap, monthly_cap, created_at, daily_alert, monthly_alert,
       today, this_month from (
       select ${cappedValue}, created_at, daily_alert, monthly_alert, ${sumsWith('$2')}
       from budgets join ${daysSince('$1')}
       group by ${cappedValue}, created_at, daily_alert, monthly_alert) as used
     where (today * 100 >= daily_cap * $3 or this_month * 100 >= monthly_cap * $3)
       ${after ? 'and (account_id, tag, value) > ($4, $5, $6)' : ''}
     order by account_id, tag, value limit ${maxNear}`,
    [firstDay, today, percent, ...position],
  );
}

/** False if another gateway has announced it. */
export function markBudgetAlert(
  on: Runner,
  { account_id, tag, value }: TagValue,
  column: 'daily_alert' | 'monthly_alert',
  { before, after }: { before: string | null; after: string },
): Promise<boolean> {
  return query.exists(
    on,
    `update budgets set ${column} = $4
     where account_id = $1 and tag = $2 and value = $3 and ${column} is not distinct from $5
     returning tag`,
    [account_id, tag, value, after, before],
  );
}

export const putBudgets = budgets.insert({
  end: `on conflict (account_id, tag, value) do update set
     daily_cap = excluded.daily_cap, monthly_cap = excluded.monthly_cap`,
});

export async function deleteBudget(
  on: Runner,
  { account_id, tag, value }: TagValue,
): Promise<void> {
  await on.run('delete from budgets where account_id = $1 and tag = $2 and value = $3', [
    account_id,
    tag,
    value,
  ]);
}

/** Deletes and returns rows that are no longer kept, except those with an open hold. */
export function takeOldTagDays(on: Runner, dayBefore: number, limit: number): Promise<TagDay[]> {
  return query.rows(
    on,
    tagDays.read,
    `delete from tag_days where held = 0 and (${tagDayKey}) in
       (select ${tagDayKey} from tag_days
        where day > ${foldedDay} and day < $1 and held = 0 order by day limit $2)
     returning ${tagDays.columns}`,
    [dayBefore, limit],
  );
}

/** The approximate size of the rows, for a statement whose first parameter is an account. */
export const tagBytes = '(select 200 * count(*) from tag_days where account_id = $1)';
