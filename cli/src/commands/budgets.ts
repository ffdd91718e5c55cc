// trivium budgets: how much requests with a tag value may spend (operator).
import type { Budget } from '@trivium/contract';
import { UsageError } from '../command.ts';
import type { ParsedArguments } from '../command.ts';
import { noun, showList, showOne } from '../nouns.ts';
import type { Table } from '../nouns.ts';
import { formatUsd, readTag } from '../paid.ts';
import { accountOf, accountOption, capOptions, capsOf } from './admin.ts';

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
      run: async (_subject, given, context) => {
        const { signal } = context;
        const { budgets: rows } = await context.admin().budgets.list(accountOf(given), { signal });
        showList(context, 'budgets', rows, table);
      },
    },
    set: {
      summary: 'replace a budget: an omitted cap is removed',
      usage: '<name=value>',
      example: 'budgets set team=docs --daily-cap 5',
      run: async (subject, given, context) => {
        const budget = { ...tagIn(subject), ...setCaps(given) };
        showOne(context, await context.admin().budgets.set(accountOf(given), budget), table);
      },
    },
    delete: {
      summary: 'remove the limit on a tag',
      usage: '<name=value>',
      example: 'budgets delete team=docs',
      run: async (subject, given, context) => {
        const tag = tagIn(subject);
        showOne(context, await context.admin().budgets.delete(accountOf(given), tag), table);
      },
    },
  },
});

function tagIn(subject: string): { tag: string; value: string } {
  const [tag, value] = readTag(subject, 'team=search');
  return { tag, value };
}

/** A budget without a cap would be deleted, which has its own verb. */
function setCaps(given: ParsedArguments) {
  const caps = capsOf(given);
  if (Object.keys(caps).length > 0) return caps;
  throw new UsageError('Give a cap with --daily-cap, --monthly-cap, or both.');
}

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
