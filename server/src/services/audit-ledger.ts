// Checks what must always hold of the books, while gateways run or not, and says it for people.
// What is not proven right is a violation, with its account, its row and its amounts.
import type { ProviderId } from '@trivium/contract';
import { explainedDebts } from '../domain/ledger/debts.ts';
import { usd } from '../domain/money.ts';
import { list_prices } from '../providers/list-prices.ts';
import type { PriceTable, ProductName, ProviderRates } from '../domain/prices.ts';
import type { Runner } from '../platform/database.ts';
import { StartError } from '../platform/start-error.ts';
import { allChecks, findBreaches, most_breaches } from '../store/audit-checks.ts';
import type { Breach, Check } from '../store/audit-checks.ts';
import { findSchemaVersion, findDebtLines, readBooks } from '../store/audit.ts';
import type { Reading } from '../store/audit.ts';
import { findDeferred } from '../store/deferred.ts';
import type { DeferredRow } from '../store/deferred.ts';
import { migrations } from '../store/migrations/index.ts';

export interface Audit {
  reading: Reading;
  /** How many rules were checked. */
  checks: number;
  /** One line each; none when the books are right. */
  violations: string[];
}

export interface AuditOptions {
  /** The time, where a gateway should be at work: nothing that it deferred may be older. */
  now?: number;
  /** The prices that answers were given at; without them any provider may have been free. */
  prices?: PriceTable;
}

/** A gateway books what it deferred within 50 ms; after this long something is wrong. */
const longest_deferred_ms = 60_000;

export async function auditLedger(on: Runner, { now, prices }: AuditOptions = {}): Promise<Audit> {
  await checkSchema(on);
  const reading = await readBooks(on);
  const checks = allChecks(prices && freeProviders(prices));
  const violations = totals.flatMap(({ holds, says }) => (holds(reading) ? [] : [says]));
  for (const check of checks) violations.push(...(await linesOf(on, check)));
  violations.push(...debtLines(await findDebtLines(on)));
  violations.push(...deferredLines(await findDeferred(on), now));
  // The two rules about debts and about deferred work come on top.
  return { reading, checks: totals.length + checks.length + 2, violations };
}

/** Without the columns of this version nothing can be said, least of all that all is well. */
async function checkSchema(on: Runner): Promise<void> {
  const [version, wanted] = [await findSchemaVersion(on), migrations.at(-1)?.version ?? 0];
  if (version >= wanted) return;
  throw new StartError(
    `The store is of version ${version}, and this audit reads version ${wanted}. ` +
      'Start the gateway of this version once, which brings the store up to date.',
  );
}

export function auditLines(store: string, { reading, checks, violations }: Audit): string {
  const money = (name: string, amount: number) => `  ${name.padEnd(14)}${amountText(amount)}`;
  const lines = [
    `Ledger of ${store}`,
    `  ${'accounts'.padEnd(14)}${String(reading.accounts).padStart(20)}`,
    money('top-ups', reading.topups),
    money('charges', reading.settles),
    money('refunds', reading.refunds),
    money('adjustments', reading.adjustments),
    money('balance', reading.posted),
    `${money('held', reading.held)} in ${reading.open_holds} open holds`,
    ...(violations.length === 0 ? [`All ${checks} checks hold.`] : violationLines(violations)),
  ];
  return `${lines.join('\n')}\n`;
}

export function violationLines(violations: readonly string[]): string[] {
  return violations.map((violation) => `VIOLATION ${violation}`);
}

interface TotalCheck {
  says: string;
  holds: (reading: Reading) => boolean;
}

const totals: readonly TotalCheck[] = [
  {
    says: 'The balances are top-ups and adjustments and refunds without charges.',
    holds: (r) => r.posted === r.topups + r.settles + r.refunds + r.adjustments,
  },
  { says: 'What is held is the sum of open holds.', holds: (r) => r.held === r.open_hold_sum },
  { says: 'No transfer is there twice.', holds: (r) => r.transfers === r.distinct_transfers },
];

async function linesOf(on: Runner, check: Check): Promise<string[]> {
  const breaches = await findBreaches(on, check);
  const lines = breaches.slice(0, most_breaches).map((breach) => lineOf(check, breach));
  if (breaches.length <= most_breaches) return lines;
  return [...lines, `${check.says}: there are more than these ${most_breaches}.`];
}

function lineOf({ says, of }: Check, { account_id, id, found, expected }: Breach): string {
  const parts = [
    ...(account_id === null ? [] : [`account ${account_id}`]),
    ...(id === null ? [] : [`${of} ${id}`]),
    ...(found === null ? [] : [`found ${dollars(found)}`]),
    ...(expected === null ? [] : [`expected ${dollars(expected)}`]),
  ];
  return `${says}: ${parts.join(', ')}.`;
}

function debtLines(lines: Awaited<ReturnType<typeof findDebtLines>>): string[] {
  return explainedDebts(lines).flatMap(({ account_id, free, explained }) => {
    if (0 - free <= explained) return [];
    return [
      `A balance below 0 comes from reports or audio above their holds: account ${account_id}, ` +
        `found ${dollars(free)}, explained ${dollars(0 - explained)}.`,
    ];
  });
}

function deferredLines(rows: readonly DeferredRow[], now: number | undefined): string[] {
  return rows.flatMap(({ task, trouble, created_at, settles }) => {
    const parts = settles.map(
      ({ account_id, id, cost }) => `account ${account_id}, request ${id}, ${dollars(cost)}`,
    );
    const named = [`task ${task}`, ...parts].join('; ');
    if (trouble !== null) return [`What was deferred can be booked: ${named}: ${trouble}.`];
    if (now === undefined || now - created_at <= longest_deferred_ms) return [];
    const since = new Date(created_at).toISOString();
    return [`What was deferred is booked soon: ${named}: waits since ${since}. Start the gateway.`];
  });
}

/** Serve without a price where they are asked without a credential; a panel may be made of them. */
const free_without_credential = ['engine_f', 'engine_i', 'fusion'];

/** Who may have served at no price: a rate of 0 that the operator's prices name and ours do not. */
export function freeProviders(prices: PriceTable): string[] {
  const isFree = ([provider, products]: [string, ProviderRates]) =>
    Object.entries(products).some(([product, rates]) =>
      Object.entries(rates).some(
        ([name, rate]) => rate === 0 && listedRate(provider, product, name) !== 0,
      ),
    );
  const free = Object.entries(prices).filter(isFree);
  return [...free_without_credential, ...free.map(([provider]) => provider)];
}

function listedRate(provider: string, product: string, name: string): number | undefined {
  return list_prices[provider as ProviderId]?.[product as ProductName]?.[name];
}

function dollars(micro_usd: number): string {
  return `${usd(micro_usd).toFixed(6)} USD`;
}

function amountText(micro_usd: number): string {
  return `${usd(micro_usd).toFixed(6).padStart(20)} USD`;
}
