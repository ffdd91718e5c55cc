// trivium budgets: what the requests with a tag value may spend (operator).
import type { Budget } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { formatUsd, readTag } from '../paid.ts';
import { formatTable } from '../table.ts';
import { accountOf, accountOption, capOptions, capsOf } from './admin.ts';

export const budgets: Command = {
  name: 'budgets',
  summary: 'List, set or delete what tags may spend (operator)',
  usage: 'list | set <name=value> | delete <name=value>',
  working: 'Asking the gateway',
  words: ['list', 'set', 'delete'],
  options: { ...accountOption, ...capOptions },
  run: async (given, context) => {
    const [verb = 'list', subject] = given.positionals;
    const { budgets: api } = context.admin();
    const account = accountOf(given);
    if (verb === 'list' && subject === undefined) {
      const { budgets: rows } = await api.list(account, { signal: context.signal });
      return context.json ? printJson(context, { budgets: rows }) : showBudgets(rows, context);
    }
    if (subject === undefined || (verb !== 'set' && verb !== 'delete')) {
      const usages = 'trivium budgets list, set <name=value>, or delete <name=value>';
      throw new UsageError(`Missing argument: ${usages}.`);
    }
    const [tag, value] = readTag(subject, 'team=search');
    const { budget, done } =
      verb === 'set'
        ? { budget: await api.set(account, { tag, value, ...setCaps(given) }), done: undefined }
        : { budget: await api.delete(account, { tag, value }), done: 'deleted' };
    if (context.json) return printJson(context, budget);
    if (done === undefined) return showBudgets([budget], context);
    context.out(`${tag}=${value} ${done}\n`);
  },
};

/** A budget without a cap would be deleted, and that has its own word. */
function setCaps(given: ParsedArguments) {
  const caps = capsOf(given);
  if (Object.keys(caps).length > 0) return caps;
  throw new UsageError('Give a cap with --daily-cap, --monthly-cap, or both.');
}

function showBudgets(rows: readonly Budget[], context: Context): void {
  const cap = (amount: number | null) => (amount === null ? 'none' : formatUsd(amount));
  const cells = rows.map((row) => [
    `${row.tag}=${row.value}`,
    formatUsd(row.today_usd),
    cap(row.daily_cap_usd),
    formatUsd(row.this_month_usd),
    cap(row.monthly_cap_usd),
  ]);
  const heads = ['tag', 'today', 'daily cap', 'this month', 'monthly cap'];
  context.out(formatTable(heads, cells, context));
}
