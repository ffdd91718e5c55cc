// Audits the ledger, also while gateways run: what cannot be proven correct is a violation.
// `auditMemory` checks the holds of a running gateway, and reads only the balances of its accounts.
import { explainedDebts, faultBetween, faultsWithin } from './core/audit-faults.ts';
import { usd } from './core/amount.ts';
import type { Ledger } from './ledger.ts';
import type { Database, Runner } from '../store/index.ts';
import { StartError } from '../platform/start-error.ts';
import {
  allChecks,
  type Breach,
  type Check,
  findBreaches,
  maxBreaches,
} from './store/audit-checks.ts';
import {
  type BookTotals,
  findDebtLines,
  findSchemaVersion,
  readBookTotals,
} from './store/audit.ts';
import { type DeferredRows, findDeferred, maxDeferred } from './store/journal.ts';
import { migrations } from '../store/opening.ts';
import type { MemoryAudit } from '@trivium/contract';
import type { KnownAccount } from './core/reservations.ts';
import { findBalances } from './store/ledger.ts';

interface MemoryAudited {
  database: Database;
  ledger: Pick<Ledger, 'inMemory' | 'allowances'>;
}

interface Audit {
  totals: BookTotals;
  checks: number;
  /** One line each; empty when all rules hold. */
  violations: string[];
}

export interface AuditOptions {
  /** Set when a gateway should be running: no deferred task may then be older than a minute. */
  now?: number;
  /** The providers that may serve for free. If absent, any provider may. */
  freeProviders?: readonly string[];
  /** Reads the journal of an embedded store. Throws if a part of it is lost. */
  readJournal?: () => { task: string; input: string }[];
}

/** A gateway books deferred tasks within a second, so a task that has waited this long is a fault. */
const maxDeferredMs = 60_000;

export async function auditLedger(
  on: Runner,
  { now, freeProviders, readJournal }: AuditOptions = {},
): Promise<Audit> {
  await checkSchema(on);
  const totals = await readBookTotals(on);
  const checks = allChecks(freeProviders);
  const violations = totalChecks.flatMap(({ holds, rule }) => (holds(totals) ? [] : [rule]));
  for (const check of checks) violations.push(...(await linesOf(on, check)));
  violations.push(...debtLines(await findDebtLines(on)));
  const { journaled, lost } = readWhole(readJournal);
  violations.push(...lost, ...deferredLines(await findDeferred(on, journaled), now));
  // Five more rules: one about debts, three about deferred tasks, one about the journal.
  return { totals, checks: totalChecks.length + checks.length + 5, violations };
}

function readWhole(readJournal: AuditOptions['readJournal'] = () => []) {
  try {
    return { journaled: readJournal(), lost: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { journaled: [], lost: [`The journal has all that was acknowledged: ${reason}.`] };
  }
}

/** An audit written for another schema could miss columns, so it must fail instead of passing. */
async function checkSchema(on: Runner): Promise<void> {
  const [version, wanted] = [await findSchemaVersion(on), migrations.at(-1)?.version ?? 0];
  if (version >= wanted) return;
  throw new StartError(
    `The store has schema version ${version}, and this audit needs version ${wanted}. ` +
      'Start the gateway of this version once: it migrates the store.',
  );
}

export function auditLines(store: string, { totals, checks, violations }: Audit): string {
  const money = (name: string, amount: number) => `  ${name.padEnd(14)}${dollars(amount, 20)}`;
  const lines = [
    `Ledger of ${store}`,
    `  ${'accounts'.padEnd(14)}${String(totals.accounts).padStart(20)}`,
    money('top-ups', totals.topups),
    money('charges', totals.settles),
    money('refunds', totals.refunds),
    money('adjustments', totals.adjustments),
    money('balance', totals.posted),
    `${money('held', totals.open_hold_sum)} in ${totals.open_holds} open holds`,
    ...(totals.granted === 0 ? [] : [money('granted', totals.granted) + ' to running gateways']),
    ...(violations.length === 0 ? [`All ${checks} checks passed.`] : violationLines(violations)),
  ];
  return `${lines.join('\n')}\n`;
}

export function violationLines(violations: readonly string[]): string[] {
  return violations.map((violation) => `VIOLATION ${violation}`);
}

const totalChecks: readonly { rule: string; holds: (totals: BookTotals) => boolean }[] = [
  {
    rule: 'The balances are the sum of top-ups, adjustments and refunds, less charges.',
    holds: (r) => r.posted === r.topups + r.settles + r.refunds + r.adjustments,
  },
  {
    rule: 'The held amounts are the sum of open holds and of what is granted to gateways.',
    holds: (r) => r.held === r.open_hold_sum + r.granted,
  },
  { rule: 'No transfer exists twice.', holds: (r) => r.transfers === r.distinct_transfers },
];

async function linesOf(on: Runner, check: Check): Promise<string[]> {
  const breaches = await findBreaches(on, check);
  const lines = breaches.slice(0, maxBreaches).map((breach) => lineOf(check, breach));
  if (breaches.length <= maxBreaches) return lines;
  return [...lines, `${check.rule}: there are more than these ${maxBreaches}.`];
}

function lineOf({ rule, subject }: Check, { account_id, id, found, expected }: Breach): string {
  const parts = [
    account_id !== null && `account ${account_id}`,
    id !== null && `${subject} ${id}`,
    found !== null && `found ${dollars(found)}`,
    expected !== null && `expected ${dollars(expected)}`,
  ];
  return `${rule}: ${parts.filter(Boolean).join(', ')}.`;
}

function debtLines(lines: Awaited<ReturnType<typeof findDebtLines>>): string[] {
  const unexplained = explainedDebts(lines).filter(({ free, explained }) => 0 - free > explained);
  return unexplained.map(
    ({ account_id, free, explained }) =>
      `A balance below 0 comes from charges above their holds: account ${account_id}, ` +
      `found ${dollars(free)}, explained ${dollars(0 - explained)}.`,
  );
}

function deferredLines({ tasks, has_more }: DeferredRows, now: number | undefined): string[] {
  const lines = tasks.flatMap(({ task, trouble, created_at, settles, is_healthy: isHealthy }) => {
    const parts = settles.map(
      ({ account_id, id, cost }) => `account ${account_id}, request ${id}, ${dollars(cost)}`,
    );
    const named = [`task ${task}`, ...parts].join('; ');
    if (trouble !== null && isHealthy) {
      return [
        `No task that can be booked is marked: ${named}: ${trouble}. ` +
          'Set its column trouble to null, and start a gateway.',
      ];
    }
    if (trouble !== null) return [`Deferred tasks can be booked: ${named}: ${trouble}.`];
    if (now === undefined || now - created_at <= maxDeferredMs) return [];
    const since = new Date(created_at).toISOString();
    return [
      `Deferred tasks are booked at once: ${named}: waiting since ${since}. Start the gateway.`,
    ];
  });
  // Failed and old ones are listed first: if one of those listed is right, the others are.
  const isCut = has_more && lines.length >= maxDeferred;
  return isCut
    ? [...lines, `Deferred tasks: there may be more than these ${lines.length}.`]
    : lines;
}

function dollars(microUsd: number, width = 0): string {
  return `${usd(microUsd).toFixed(6).padStart(width)} USD`;
}

const idsPerStatement = 256;

export async function auditMemory(context: MemoryAudited): Promise<MemoryAudit> {
  const known = [...context.ledger.inMemory()];
  const violations = known.flatMap(([id, account]) => faultsWithin(id, account));
  const ids = known.map(([id]) => id);
  if (context.ledger.allowances() === undefined) {
    for (let from = 0; from < ids.length; from += idsPerStatement) {
      violations.push(...(await compare(context, ids.slice(from, from + idsPerStatement))));
    }
  } else violations.push(...known.flatMap((one) => allowanceFaults(context, one)));
  const reserved = known.reduce((sum, [, account]) => sum + account.counted, 0);
  return {
    engine: context.database.engine,
    accounts: known.length,
    reserved_usd: Number.isFinite(reserved) ? usd(reserved) : null,
    violations,
  };
}

/** No payment is journaled during a transaction. */
function compare({ database, ledger }: MemoryAudited, ids: readonly string[]): Promise<string[]> {
  return database.transaction(async (tx) => {
    const balances = await findBalances(tx, ids);
    const known = ledger.inMemory();
    return ids.flatMap(
      (id) => faultBetween(id, known.get(id), balances.get(id) ?? { posted: 0, held: 0 }) ?? [],
    );
  });
}

/** On PostgreSQL, memory may spend what is granted and not yet spent. */
function allowanceFaults(
  { ledger }: MemoryAudited,
  [id, account]: readonly [string, KnownAccount],
): string[] {
  const { granted: posted = 0, spent: held = 0 } = ledger.allowances()?.get(id) ?? {};
  const rule = 'The available amount in memory is the granted amount less the spent amount';
  return [faultBetween(id, account, { posted, held }, rule) ?? []].flat();
}
