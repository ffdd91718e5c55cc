// trivium balance and trivium providers: what is left to spend, and who can be asked.
import type { ProviderDescription } from '@trivium/contract';
import { printJson } from '../command.ts';
import type { Command } from '../command.ts';
import { formatUsd } from '../paid.ts';
import { formatTable } from '../table.ts';

export const balance: Command = {
  name: 'balance',
  summary: 'Show what is left to spend',
  usage: '',
  options: {},
  run: async (_given, context) => {
    const money = await context.client().balance({ signal: context.signal });
    if (context.json) return printJson(context, money);
    const held = money.held_usd > 0 ? `, ${formatUsd(money.held_usd)} USD held` : '';
    context.out(`${formatUsd(money.balance_usd)} USD (${money.credits} credits)${held}\n`);
  },
};

export const providers: Command = {
  name: 'providers',
  summary: 'List the providers, their tools and prices',
  usage: '',
  options: {},
  run: async (_given, context) => {
    const list = await context.client().providers({ signal: context.signal });
    if (context.json) return printJson(context, list);
    const head = ['id', 'name', 'state', 'tools and prices from'];
    context.out(formatTable(head, list.providers.map(rowOf), context));
  },
};

function rowOf({ id, name, state, tools }: ProviderDescription): string[] {
  const offered = Object.entries(tools).map(([tool, described]) => {
    const lowest = Math.min(...Object.values(described?.prices ?? {}));
    return Number.isFinite(lowest) ? `${tool} ${formatUsd(lowest)}` : tool;
  });
  return [id, name, state.replace('_', ' '), offered.join(', ')];
}
