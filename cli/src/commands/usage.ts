// trivium usage: adds up requests and cost, for the key's account or, for operators, any account.
import type { UsageReport } from '@trivium/contract';
import type { UsageFilters } from '@trivium/sdk';
import { printJson } from '../command.ts';
import type { Command } from '../command.ts';
import { dayOptions } from '../limited-list.ts';
import { asksOperator, operatorOptions } from '../operator-view.ts';
import { fieldsOf, textOption } from '../options.ts';
import { formatUsd } from '../paid.ts';
import { formatTable } from '../table.ts';

const filterOptions = {
  by: textOption('group', 'day, tool, provider, key, tag:NAME; for operators also account or tag'),
  ...dayOptions,
};

export const usage: Command = {
  name: 'usage',
  group: 'Your account',
  summary: 'Add up the requests and cost of your account, or of any account',
  usage: '',
  examples: ['usage --by provider', 'usage --by tag:team --from 2026-11-01'],
  working: 'Asking the gateway',
  options: { ...filterOptions, ...operatorOptions('usage') },
  run: async (given, context) => {
    const { text } = given;
    const { signal } = context;
    const filters = fieldsOf(given, filterOptions) as UsageFilters;
    const isOperator = asksOperator(given, context, ['account', 'tag'].includes(text('by') ?? ''));
    const report: UsageReport = isOperator
      ? await context.admin().usage({ ...filters, account_id: text('account') }, { signal })
      : await context.client().usage(filters, { signal });
    if (context.json) return printJson(context, report);
    const rows = report.usage.map(({ group, requests, served, refused, failed, cost_usd }) => [
      group,
      ...[requests, served, refused, failed].map(String),
      formatUsd(cost_usd),
    ]);
    context.out(
      formatTable([report.by, 'requests', 'served', 'refused', 'failed', 'USD'], rows, context),
    );
  },
};
