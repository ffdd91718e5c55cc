// trivium transfers: every movement of money, newest first (operator).
import { TransferLine } from '@trivium/contract';
import type { TransferFilters } from '@trivium/sdk';
import type { Command } from '../command.ts';
import { dayOptions, limitOption, readLimited } from '../limited-list.ts';
import { showList } from '../nouns.ts';
import { formatUsd } from '../paid.ts';

export const transfers: Command = {
  name: 'transfers',
  group: 'Operators',
  summary: 'List charges, top-ups, refunds and adjustments',
  usage: '',
  examples: ['transfers --account acct_default --kind refund'],
  working: 'Asking the gateway',
  options: {
    account: { type: 'string', value: 'id', describe: 'only those of this account' },
    kind: {
      type: 'string',
      describe: 'only those of this kind',
      choices: TransferLine.shape.kind.options,
    },
    ...dayOptions,
    ...limitOption,
  },
  run: async (given, context) => {
    const { text } = given;
    const { signal } = context;
    const filters = {
      account_id: text('account'),
      kind: text('kind'),
      from: text('from'),
      to: text('to'),
    } as TransferFilters;
    const lines = await readLimited(given, (limit) =>
      context.admin().transfers.list({ ...filters, limit }, { signal }),
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
