// trivium transfers: every movement of money, newest first (operator).
import { TransferLine } from '@trivium/contract';
import type { TransferFilters } from '@trivium/sdk';
import type { Command } from '../command.ts';
import { dayOptions, limitOption, readLimited } from '../limited-list.ts';
import { showList } from '../nouns.ts';
import { choiceOption, fieldsOf, textOption } from '../options.ts';
import { formatUsd } from '../paid.ts';

const filters = {
  account: textOption('id', 'only those of this account', { field: 'account_id' }),
  kind: choiceOption('only those of this kind', TransferLine.shape.kind.options),
  ...dayOptions,
};

export const transfers: Command = {
  name: 'transfers',
  group: 'Operators',
  summary: 'List charges, top-ups, refunds and adjustments',
  usage: '',
  examples: ['transfers --account acct_default --kind refund'],
  working: 'Asking the gateway',
  options: { ...filters, ...limitOption },
  run: async (given, context) => {
    const { signal } = context;
    const asked = fieldsOf(given, filters) as TransferFilters;
    const lines = await readLimited(given, (limit) =>
      context.admin().transfers.list({ ...asked, limit }, { signal }),
    );
    showList(context, 'transfers', lines, {
      heads: ['time', 'kind', 'USD', 'account', 'for'],
      cells: (line) => [
        line.created_at,
        line.kind,
        formatUsd(line.amount_usd),
        line.account_id,
        line.reason ?? line.asked ?? line.request_id ?? '',
      ],
    });
  },
};
