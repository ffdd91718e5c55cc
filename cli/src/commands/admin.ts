// The operator's commands for accounts, their money and their keys, over the admin API.
import type { Account, Key, NewKey } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { listing, noun, showing } from '../nouns.ts';
import type { Table } from '../nouns.ts';
import { fieldsOf, flagOption, numberOption, textOption } from '../options.ts';
import { formatUsd } from '../paid.ts';
import { policyOf, policyOptions } from '../policy-options.ts';

const defaultAccount = 'acct_default';
export const accountOption = {
  account: textOption('id', `the account; ${defaultAccount} by default`),
};
const nameOption = { name: textOption('text', 'with change: the new name') };
export const capOptions = {
  'daily-cap': numberOption('usd', 'the maximum to spend in a day', { field: 'daily_cap_usd' }),
  'monthly-cap': numberOption('usd', 'the maximum to spend in a month', {
    field: 'monthly_cap_usd',
  }),
};
export const accountOf = (given: ParsedArguments) => given.text('account') ?? defaultAccount;

const pageSize = 500;

const accountTable: Table<Account> = {
  heads: ['id', 'USD', 'held', 'name'],
  cells: ({ id, balance_usd, held_usd, name }) => [
    id,
    formatUsd(balance_usd),
    formatUsd(held_usd),
    name,
  ],
};

export const accounts = noun({
  name: 'accounts',
  group: 'Operators',
  summary: 'List, show, create or change accounts and their policies',
  options: { ...nameOption, ...policyOptions },
  verbs: {
    list: {
      summary: 'list all accounts with their balances',
      usage: '',
      example: 'accounts list',
      run: listing('accounts', accountTable, async ({ admin, signal }) => {
        const rows: Account[] = [];
        const all = admin().accounts.list({ limit: pageSize }, { signal });
        for await (const one of all) rows.push(one);
        return rows;
      }),
    },
    get: {
      summary: 'show one account',
      usage: '<id>',
      example: 'accounts get acct_default',
      run: showing(accountTable, ({ admin, signal }, id) => admin().accounts.get(id, { signal })),
    },
    create: {
      summary: 'create an account',
      usage: '<name>',
      example: 'accounts create Archive --tool search --requests-at-once 4',
      run: showing(accountTable, ({ admin }, name, given) =>
        admin().accounts.create({ name, ...policyOf(given) }),
      ),
    },
    change: {
      summary: 'change the name or the policy of an account',
      usage: '<id>',
      example: 'accounts change acct_default --blocked-domain casino.example',
      run: showing(accountTable, ({ admin }, id, given) =>
        admin().accounts.update(id, { ...fieldsOf(given, nameOption), ...policyOf(given) }),
      ),
    },
  },
});

const movementOptions = {
  reason: textOption('text', 'the reason; recorded in the ledger permanently'),
  'idempotency-key': textOption('key', 'retry without moving the money twice'),
};

export const topup: Command = {
  name: 'topup',
  group: 'Operators',
  summary: 'Add money to an account',
  usage: '<usd>',
  examples: ["topup 25 --reason 'invoice 2026-117'"],
  working: 'Asking the gateway',
  options: { ...accountOption, ...movementOptions },
  run: async (given, context) => {
    const amountUsd = Number(given.positionals[0] ?? Number.NaN);
    if (!(amountUsd > 0)) throw new UsageError('Missing amount: trivium topup 25 --reason "…".');
    const movement = { amount_usd: amountUsd, reason: reasonIn(given) };
    const line = await context.admin().accounts.topUp(accountOf(given), movement, keyOf(given));
    if (context.json) return printJson(context, line);
    context.out(`${formatUsd(line.amount_usd)} USD added to ${line.account_id} (${line.id})\n`);
  },
};

export const refund: Command = {
  name: 'refund',
  group: 'Operators',
  summary: 'Refund the cost of a request, or part of it',
  usage: '<request id> [usd]',
  examples: [
    "refund req_0198… --reason 'the pages were empty'",
    'refund req_0198… 0.01 --reason …',
  ],
  working: 'Asking the gateway',
  options: movementOptions,
  run: async (given, context) => {
    const [id, typed, ...more] = given.positionals;
    if (id === undefined || more.length > 0) {
      throw new UsageError('Name one request: trivium refund <request id> [usd] --reason "…".');
    }
    const reason = reasonIn(given);
    const admin = context.admin();
    const request = await admin.requests.get(id, { signal: context.signal });
    const amountUsd = typed === undefined ? request.cost_usd : Number(typed);
    if (!(amountUsd > 0)) {
      const why =
        typed === undefined ? 'That request cost nothing.' : 'The amount is not a number.';
      throw new UsageError(`${why} Name it: trivium refund <request id> 0.01 --reason "…".`);
    }
    const movement = { amount_usd: amountUsd, reason, request_id: request.id };
    const line = await admin.accounts.refund(request.account_id, movement, keyOf(given));
    if (context.json) return printJson(context, line);
    context.out(`${formatUsd(line.amount_usd)} USD refunded to ${line.account_id} (${line.id})\n`);
  },
};

function reasonIn(given: ParsedArguments): string {
  const reason = given.text('reason');
  if (reason === undefined) throw new UsageError('Give a reason with --reason.');
  return reason;
}

function keyOf(given: ParsedArguments) {
  return { idempotencyKey: given.text('idempotency-key') };
}

const keyTable: Table<Key> = {
  heads: ['id', 'key', 'state', 'name'],
  cells: (key) => [
    key.id,
    `${key.display}…`,
    key.revoked_at === null ? 'active' : 'revoked',
    key.name,
  ],
};

const limitOptions = {
  'expires-at': textOption('time', 'such as 2027-01-31T00:00:00Z'),
  ...capOptions,
  'own-use-only': flagOption('the key sees only its own usage and jobs'),
};
const rotationOptions = {
  'overlap-hours': numberOption(
    'hours',
    'with rotate: how long the old secret keeps working; 24 by default',
  ),
};

export const keys = noun({
  name: 'keys',
  group: 'Operators',
  summary: 'List, create, change, rotate or revoke API keys',
  options: {
    ...accountOption,
    ...limitOptions,
    ...nameOption,
    ...policyOptions,
    ...rotationOptions,
  },
  verbs: {
    list: {
      summary: 'list the keys of an account',
      usage: '',
      example: 'keys list --account acct_default',
      run: listing('keys', keyTable, async ({ admin, signal }, given) => {
        return (await admin().keys.list(accountOf(given), { signal })).keys;
      }),
    },
    create: {
      summary: 'create a key and print it once',
      usage: '<name>',
      example: "keys create 'nightly report' --daily-cap 2",
      run: async (name, given, context) => {
        const request = { name, ...fieldsOf(given, limitOptions), ...policyOf(given) };
        showSecret(await context.admin().keys.create(accountOf(given), request), context);
      },
    },
    change: {
      summary: 'change the name, the caps or the policy of a key',
      usage: '<key id>',
      example: 'keys change key_0198… --monthly-cap 50',
      run: showing(keyTable, ({ admin }, id, given) =>
        admin().keys.update(id, {
          ...fieldsOf(given, { ...nameOption, ...limitOptions }),
          ...policyOf(given),
        }),
      ),
    },
    rotate: {
      summary: 'print a new secret; the old one keeps working during the overlap',
      usage: '<key id>',
      example: 'keys rotate key_0198… --overlap-hours 48',
      run: async (id, given, context) => {
        const rotation = fieldsOf(given, rotationOptions);
        showSecret(await context.admin().keys.rotate(id, rotation), context);
      },
    },
    'end-overlap': {
      summary: 'end the overlap: the old secret stops working now',
      usage: '<key id>',
      example: 'keys end-overlap key_0198… --yes',
      loses: 'Programs that still use the old secret fail immediately.',
      run: showing(keyTable, ({ admin }, id) => admin().keys.endOverlap(id)),
    },
    revoke: {
      summary: 'disable it permanently',
      usage: '<key id>',
      example: 'keys revoke key_0198… --yes',
      loses: 'Programs that use the key fail immediately, and it can never be used again.',
      run: showing(keyTable, ({ admin }, id) => admin().keys.revoke(id)),
    },
  },
});

function showSecret(made: NewKey, context: Context): void {
  if (context.json) return printJson(context, made);
  context.out(`${made.key}\n`);
  context.note(`Shown only once. Its id is ${made.id}.\n`);
}
