// trivium budgets: how much requests with a tag value may spend (operator).
import type { Budget } from '@trivium/contract';
import { UsageError } from '../command.ts';
import type { ParsedArguments } from '../command.ts';
import { listing, noun, showing } from '../nouns.ts';
import type { Table } from '../nouns.ts';
import { fieldsOf } from '../options.ts';
import { formatUsd, readTag } from '../paid.ts';
import { accountOf, accountOption, capOptions } from './admin.ts';

const capText = (amount: number | null) => (amount === null ? 'none' : formatUsd(amount));
const table: Table<Budget> = {
  heads: ['tag', 'today', 'daily cap', 'this month', 'monthly cap'],
  cells: (row) => [
    `${row.tag}=${row.value}`,
    formatUsd(row.today_usd),
    capText(row.daily_cap_usd),
    formatUsd(row.this_month_usd),
    capText(row.monthly_cap_usd),
  ],
};

export const budgets = noun({
  name: 'budgets',
  group: 'Operators',
  summary: 'List, set or delete the budgets of tags',
  options: { ...accountOption, ...capOptions },
  verbs: {
    list: {
      summary: 'list budgets and the spending that counts towards them',
      usage: '',
      example: 'budgets list',
      run: listing('budgets', table, async ({ admin, signal }, given) => {
        return (await admin().budgets.list(accountOf(given), { signal })).budgets;
      }),
    },
    set: {
      summary: 'replace a budget: an omitted cap is removed',
      usage: '<name=value>',
      example: 'budgets set team=docs --daily-cap 5',
      run: showing(table, ({ admin }, subject, given) =>
        admin().budgets.set(accountOf(given), { ...tagIn(subject), ...setCaps(given) }),
      ),
    },
    delete: {
      summary: 'remove the limit on a tag',
      usage: '<name=value>',
      example: 'budgets delete team=docs',
      run: showing(table, ({ admin }, subject, given) =>
        admin().budgets.delete(accountOf(given), tagIn(subject)),
      ),
    },
  },
});

function tagIn(subject: string): { tag: string; value: string } {
  const [tag, value] = readTag(subject, 'team=search');
  return { tag, value };
}

/** A budget without a cap would be deleted, which has its own verb. */
function setCaps(given: ParsedArguments) {
  const caps = fieldsOf(given, capOptions);
  if (Object.keys(caps).length > 0) return caps;
  throw new UsageError('Give a cap with --daily-cap, --monthly-cap, or both.');
}
