// trivium balance and trivium providers: the available balance, and the providers.
import { providerLabel, typedName } from '@trivium/contract';
import type { ProviderDescription } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context } from '../command.ts';
import { formatUsd } from '../paid.ts';
import { toId } from '../options.ts';
import { plain } from '../style.ts';
import { didYouMean } from '@trivium/contract';
import { formatTable } from '../table.ts';

export const balance: Command = {
  name: 'balance',
  group: 'Your account',
  summary: 'Show the available balance',
  usage: '',
  examples: ['balance'],
  working: 'Asking the gateway',
  options: {},
  run: async (_given, context) => {
    const money = await context.client().balance({ signal: context.signal });
    if (context.json) return printJson(context, money);
    const held = money.held_usd > 0 ? `, ${formatUsd(money.held_usd)} USD held` : '';
    const more =
      money.exposed_usd > 0
        ? `; open transcriptions can cost ${formatUsd(money.exposed_usd)} USD more`
        : '';
    context.out(`${formatUsd(money.balance_usd)} USD (${money.credits} credits)${held}${more}\n`);
  },
};

export const providers: Command = {
  name: 'providers',
  group: 'Your account',
  summary: 'List the providers, or show what one can do and what it costs',
  usage: '[name or id]',
  examples: ['providers', 'providers tavily'],
  working: 'Asking the gateway',
  options: {},
  run: async (given, context) => {
    const [typed] = given.positionals;
    const id = typed === undefined ? undefined : toId(typed);
    const { providers: all } = await context.client().providers({ signal: context.signal });
    const chosen = id === undefined ? all : all.filter((one) => one.id === id);
    const [one] = chosen;
    if (id !== undefined && one === undefined) {
      const known = all.flatMap((provider) => [provider.id, typedName(provider.id)]);
      const shown = plain(id.slice(0, 60));
      throw new UsageError(`There is no provider ${shown}.${didYouMean(id, known)}`);
    }
    if (context.json) return printJson(context, id === undefined ? { providers: all } : one);
    if (id !== undefined && one !== undefined) return describe(one, context);
    const rows = chosen.map(({ id: provider, name, state, tools }) => [
      provider,
      name,
      state.replace('_', ' '),
      Object.keys(tools).join(', '),
    ]);
    context.out(formatTable(['id', 'name', 'state', 'tools'], rows, context));
  },
};

function describe({ id, state, tools }: ProviderDescription, context: Context): void {
  const { style, out } = context;
  out(`${style.bold(providerLabel(id))}, ${state.replace('_', ' ')}\n`);
  for (const [tool, described] of Object.entries(tools)) {
    if (described === undefined) continue;
    const prices = Object.entries(described.prices ?? {}).map(([what, usd]) => [
      what,
      formatUsd(usd),
    ]);
    const unit = tool === 'transcription' ? 'USD per hour' : 'USD';
    out(`\n${formatTable([tool, unit], prices, context)}`);
    const abilities = Object.entries(described.capabilities).map(([param, { support, note }]) => [
      param,
      note === undefined ? support : `${support}: ${note}`,
    ]);
    out(`\n${formatTable(['parameter', 'support'], abilities, context)}`);
  }
}
