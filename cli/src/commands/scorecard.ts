// trivium scorecard: compares the quality, price and speed of search engines (operator).
import { type MeasuredQuality, ScorecardQuery } from '@trivium/contract';
import type { ScorecardFilters } from '@trivium/sdk';
import { printJson } from '../command.ts';
import type { Command } from '../command.ts';
import { choiceOption, fieldsOf, textOption } from '../options.ts';
import { formatUsd } from '../paid.ts';
import { formatTable } from '../table.ts';

const groups = ScorecardQuery.shape.by.unwrap().options;
const filters = {
  account: textOption('id', 'only observations of this account', { field: 'account_id' }),
  by: choiceOption('one line per engine, or per engine and one of these', groups),
  weeks: textOption('number', 'how many weeks, ending today; 12 by default'),
};

export const scorecard: Command = {
  name: 'scorecard',
  group: 'Operators',
  summary: 'Compare search engines by measured quality, price, latency and failures',
  usage: '',
  examples: ['scorecard', 'scorecard --by language --account acct_default --weeks 4'],
  working: 'Asking the gateway',
  options: filters,
  run: async (given, context) => {
    const { signal } = context;
    const asked = fieldsOf(given, filters) as ScorecardFilters;
    const found = await context.admin().scorecard(asked, { signal });
    if (context.json) return printJson(context, found);
    const grouped = found.by !== 'provider';
    const rows = found.lines.map((line) => [
      ...[line.provider, ...(grouped ? [line.group] : [])],
      ...[quality(line.agreement), quality(line.feedback)],
      lastChange(line.agreement ?? line.feedback),
      ...[`${line.failures} of ${line.calls}`, amount(line.price_usd)],
      amount(line.useful_price_usd),
      line.latency_ms === null ? '' : `${line.latency_ms} ms`,
    ]);
    const heads = [
      ...['provider', ...(grouped ? [found.by] : []), 'agreement', 'feedback', 'changed'],
      ...['failed', 'USD a call', 'USD a useful result', 'latency'],
    ];
    context.out(formatTable(heads, rows, context));
  },
};

function quality(found: MeasuredQuality | null): string {
  if (!found) return '';
  const { mean, lower, upper, observations } = found;
  const interval = [lower, upper].map((bound) => bound.toFixed(3)).join(' to ');
  return `${mean.toFixed(3)} (${interval}, n ${Math.round(observations)})`;
}

function lastChange(found: MeasuredQuality | null): string {
  const change = found?.changes.at(-1);
  return change ? `${change.day}: ${change.before.toFixed(3)} to ${change.after.toFixed(3)}` : '';
}

function amount(usd: number | null): string {
  return usd === null ? '' : formatUsd(usd);
}
