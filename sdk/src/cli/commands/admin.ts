// The operator's commands: accounts, topup, keys and usage, over the admin API.
import type { Account, Key } from '@trivium/contract';
import type { AdminClient } from '../../admin.ts';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, Given, Options } from '../command.ts';
import { formatUsd } from '../paid.ts';
import { formatTable } from '../table.ts';

const DEFAULT_ACCOUNT = 'acct_default';
const account_option = {
  account: {
    type: 'string',
    value: 'id',
    describe: `the account, ${DEFAULT_ACCOUNT} unless given`,
  },
} as const satisfies Options;
const accountOf = (given: Given) => given.text('account') ?? DEFAULT_ACCOUNT;

export const accounts: Command = {
  name: 'accounts',
  summary: 'List, show or create accounts (operator)',
  usage: 'list | get <id> | create <name>',
  words: ['list', 'get', 'create'],
  options: {},
  run: async (given, context) => {
    const [verb = 'list', subject] = given.positionals;
    const { accounts: api } = context.admin();
    if (verb === 'list') {
      const rows = await everyPage((cursor) => api.list({ cursor, limit: PAGE }));
      return showAccounts(rows, context);
    }
    if (subject === undefined || (verb !== 'get' && verb !== 'create')) {
      throw new UsageError('Say which: trivium accounts get <id>, or create <name>.');
    }
    const one = await (verb === 'get' ? api.get(subject) : api.create(subject));
    if (context.json) return printJson(context, one);
    showAccounts([one], context);
  },
};

export const topup: Command = {
  name: 'topup',
  summary: 'Put money on an account (operator)',
  usage: '<usd>',
  options: {
    ...account_option,
    reason: { type: 'string', describe: 'why; it stands in the ledger for good' },
    'idempotency-key': { type: 'string', value: 'key', describe: 'repeat it without moving twice' },
  },
  run: async (given, context) => {
    const amount_usd = Number(given.positionals[0] ?? Number.NaN);
    if (!(amount_usd > 0)) throw new UsageError('Say how much: trivium topup 25 --reason "…".');
    const reason = given.text('reason');
    if (reason === undefined) throw new UsageError('Say why with --reason.');
    const line = await context.admin().accounts.topUp(
      accountOf(given),
      { amount_usd, reason },
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
  summary: 'List, create or revoke API keys (operator)',
  usage: 'list | create <name> | revoke <key id>',
  words: ['list', 'create', 'revoke'],
  options: {
    ...account_option,
    'expires-at': { type: 'string', value: 'time', describe: 'such as 2027-01-31T00:00:00Z' },
    'daily-cap': { type: 'string', value: 'usd', describe: 'the most it may spend in a day' },
    'monthly-cap': { type: 'string', value: 'usd', describe: 'the most it may spend in a month' },
    provider: { type: 'string', value: 'id', describe: 'only this provider; may be repeated' },
  },
  run: async (given, context) => {
    const [verb = 'list', subject] = given.positionals;
    const { keys: api } = context.admin();
    if (verb === 'list') {
      const list = await api.list(accountOf(given));
      return showKeys(list.keys, context);
    }
    if (subject === undefined || (verb !== 'create' && verb !== 'revoke')) {
      throw new UsageError('Say which: trivium keys create <name>, or revoke <key id>.');
    }
    if (verb === 'revoke') return showKeys([await api.revoke(subject)], context);
    const made = await api.create(accountOf(given), { name: subject, ...limitsOf(given) });
    if (context.json) return printJson(context, made);
    context.out(`${made.key}\n`);
    context.note(`Shown this once. Its id is ${made.id}.\n`);
  },
};

export const usage: Command = {
  name: 'usage',
  summary: 'Add up requests and cost (operator)',
  usage: '',
  options: {
    by: {
      type: 'string',
      describe: 'what to add up',
      choices: ['day', 'provider', 'key', 'tool', 'account'],
    },
    account: { type: 'string', value: 'id', describe: 'only this account' },
    from: { type: 'string', value: 'YYYY-MM-DD', describe: 'the first day' },
    to: { type: 'string', value: 'YYYY-MM-DD', describe: 'the last day' },
  },
  run: async ({ text }, context) => {
    const filters = {
      by: text('by'),
      account_id: text('account'),
      from: text('from'),
      to: text('to'),
    };
    const report = await context.admin().usage(filters);
    if (context.json) return printJson(context, report);
    const rows = report.usage.map(({ group, requests, failures, cost_usd }) => [
      group,
      String(requests),
      String(failures),
      formatUsd(cost_usd),
    ]);
    context.out(formatTable([report.by, 'requests', 'failures', 'USD'], rows, context));
  },
};

const PAGE = 200;
const MAX_PAGES = 500;

async function everyPage(
  read: (cursor: string | undefined) => ReturnType<AdminClient['accounts']['list']>,
): Promise<Account[]> {
  const all: Account[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { accounts: some, next_cursor } = await read(cursor);
    all.push(...some);
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return all;
}

function limitsOf(given: Given) {
  const expires_at = given.text('expires-at');
  const daily_cap_usd = given.number('daily-cap');
  const monthly_cap_usd = given.number('monthly-cap');
  const providers = given.texts('provider');
  return {
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(daily_cap_usd === undefined ? {} : { daily_cap_usd }),
    ...(monthly_cap_usd === undefined ? {} : { monthly_cap_usd }),
    // The gateway knows the ids and says which one is wrong.
    ...(providers === undefined ? {} : { providers: providers as ['engine_a'] }),
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
