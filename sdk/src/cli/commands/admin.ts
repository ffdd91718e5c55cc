// The operator's commands: accounts, topup and keys, over the admin API.
import type { Account, Key } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments, Options } from '../command.ts';
import { formatUsd } from '../paid.ts';
import { policyOf, policyOptions } from '../policy-options.ts';
import { formatTable } from '../table.ts';

const defaultAccount = 'acct_default';
export const accountOption = {
  account: {
    type: 'string',
    value: 'id',
    describe: `the account; ${defaultAccount} by default`,
  },
} as const satisfies Options;
const nameOption = {
  name: { type: 'string', describe: 'with change: the new name' },
} as const satisfies Options;
export const capOptions = {
  'daily-cap': { type: 'string', value: 'usd', describe: 'the most to spend in a day' },
  'monthly-cap': { type: 'string', value: 'usd', describe: 'the most to spend in a month' },
} as const satisfies Options;
export const accountOf = (given: ParsedArguments) => given.text('account') ?? defaultAccount;

export const accounts: Command = {
  name: 'accounts',
  summary: 'List, show, create or change accounts and their policies (operator)',
  usage: 'list | get <id> | create <name> | change <id>',
  working: 'Asking the gateway',
  words: ['list', 'get', 'create', 'change'],
  options: { ...nameOption, ...policyOptions },
  run: async (given, context) => {
    const [verb = 'list', subject] = given.positionals;
    const { accounts: api } = context.admin();
    const { signal } = context;
    if (verb === 'list') {
      const rows: Account[] = [];
      for await (const one of api.list({ limit: pageSize }, { signal })) rows.push(one);
      return showAccounts(rows, context);
    }
    if (subject === undefined || !['get', 'create', 'change'].includes(verb)) {
      const usages = 'trivium accounts get <id>, create <name>, or change <id>';
      throw new UsageError(`Missing argument: ${usages}.`);
    }
    const act = () => {
      if (verb === 'get') return api.get(subject, { signal });
      if (verb === 'create') return api.create({ name: subject, ...policyOf(given) });
      return api.update(subject, { ...nameOf(given), ...policyOf(given) });
    };
    const one = await act();
    if (context.json) return printJson(context, one);
    showAccounts([one], context);
  },
};

export const topup: Command = {
  name: 'topup',
  summary: 'Add money to an account (operator)',
  usage: '<usd>',
  working: 'Asking the gateway',
  options: {
    ...accountOption,
    reason: { type: 'string', describe: 'why; recorded in the ledger permanently' },
    'idempotency-key': {
      type: 'string',
      value: 'key',
      describe: 'retry without moving money twice',
    },
  },
  run: async (given, context) => {
    const amountUsd = Number(given.positionals[0] ?? Number.NaN);
    if (!(amountUsd > 0)) throw new UsageError('Missing amount: trivium topup 25 --reason "…".');
    const reason = given.text('reason');
    if (reason === undefined) throw new UsageError('Give a reason with --reason.');
    const line = await context.admin().accounts.topUp(
      accountOf(given),
      { amount_usd: amountUsd, reason },
      {
        idempotency_key: given.text('idempotency-key'),
      },
    );
    if (context.json) return printJson(context, line);
    context.out(`${formatUsd(line.amount_usd)} USD added to ${line.account_id} (${line.id})\n`);
  },
};

export const keys: Command = {
  name: 'keys',
  summary: 'List, create, change or revoke API keys (operator)',
  usage: 'list | create <name> | change <key id> | revoke <key id>',
  working: 'Asking the gateway',
  words: ['list', 'create', 'change', 'revoke'],
  options: {
    ...accountOption,
    'expires-at': { type: 'string', value: 'time', describe: 'such as 2027-01-31T00:00:00Z' },
    ...capOptions,
    ...nameOption,
    ...policyOptions,
    'own-use-only': { type: 'boolean', describe: 'it sees only its own usage and jobs' },
  },
  run: async (given, context) => {
    const [verb = 'list', subject] = given.positionals;
    const { keys: api } = context.admin();
    if (verb === 'list') {
      const list = await api.list(accountOf(given), { signal: context.signal });
      return showKeys(list.keys, context);
    }
    if (subject === undefined || !['create', 'change', 'revoke'].includes(verb)) {
      const usages = 'trivium keys create <name>, change <key id>, or revoke <key id>';
      throw new UsageError(`Missing argument: ${usages}.`);
    }
    if (verb === 'revoke') return showKeys([await api.revoke(subject)], context);
    if (verb === 'change') {
      const key = await api.update(subject, { ...nameOf(given), ...limitsOf(given) });
      return context.json ? printJson(context, key) : showKeys([key], context);
    }
    const made = await api.create(accountOf(given), { name: subject, ...limitsOf(given) });
    if (context.json) return printJson(context, made);
    context.out(`${made.key}\n`);
    context.note(`Shown only once. Its id is ${made.id}.\n`);
  },
};

const pageSize = 500;

function nameOf(given: ParsedArguments) {
  const name = given.text('name');
  return name === undefined ? {} : { name };
}

function limitsOf(given: ParsedArguments) {
  const expiresAt = given.text('expires-at');
  return {
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...capsOf(given),
    ...policyOf(given),
    ...(given.flag('own-use-only') ? { own_use_only: true } : {}),
  };
}

export function capsOf(given: ParsedArguments) {
  const dailyCapUsd = given.number('daily-cap');
  const monthlyCapUsd = given.number('monthly-cap');
  return {
    ...(dailyCapUsd === undefined ? {} : { daily_cap_usd: dailyCapUsd }),
    ...(monthlyCapUsd === undefined ? {} : { monthly_cap_usd: monthlyCapUsd }),
  };
}

function showAccounts(rows: readonly Account[], context: Context): void {
  if (context.json) return printJson(context, { accounts: rows });
  const cells = rows.map(({ id, balance_usd, held_usd, name }) => [
    id,
    formatUsd(balance_usd),
    formatUsd(held_usd),
    name,
  ]);
  context.out(formatTable(['id', 'USD', 'held', 'name'], cells, context));
}

function showKeys(rows: readonly Key[], context: Context): void {
  if (context.json) return printJson(context, { keys: rows });
  const cells = rows.map((key) => [
    key.id,
    `${key.display}…`,
    key.revoked_at === null ? 'active' : 'revoked',
    key.name,
  ]);
  context.out(formatTable(['id', 'key', 'state', 'name'], cells, context));
}
