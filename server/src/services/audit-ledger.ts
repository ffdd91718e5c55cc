// Checks what must always hold of the books, while gateways run or not, and says it for people.
import { usd } from '../domain/money.ts';
import type { Runner } from '../platform/database.ts';
import { readBooks } from '../store/audit.ts';
import type { Reading } from '../store/audit.ts';

export interface Audit {
  reading: Reading;
  /** One sentence each; none when the books are right. */
  violations: string[];
}

export async function auditLedger(on: Runner): Promise<Audit> {
  const reading = await readBooks(on);
  const violations = checks.flatMap(({ holds, says }) => (holds(reading) ? [] : [says]));
  return { reading, violations };
}

export function auditLines(store: string, { reading, violations }: Audit): string {
  const money = (name: string, amount: number) => `  ${name.padEnd(14)}${amountText(amount)}`;
  const verdict =
    violations.length === 0
      ? [`All ${checks.length} checks hold.`]
      : ['These do not hold:', ...violations.map((violation) => `  ${violation}`)];
  const lines = [
    `Ledger of ${store}`,
    `  ${'accounts'.padEnd(14)}${String(reading.accounts).padStart(20)}`,
    money('top-ups', reading.topups),
    money('charges', reading.settles),
    money('refunds', reading.refunds),
    money('adjustments', reading.adjustments),
    money('balance', reading.posted),
    `${money('held', reading.held)} in ${reading.open_holds} open holds`,
    ...verdict,
  ];
  return `${lines.join('\n')}\n`;
}

interface Check {
  says: string;
  holds: (reading: Reading) => boolean;
}

const checks: readonly Check[] = [
  {
    says: 'The balances are top-ups and adjustments and refunds without charges.',
    holds: (r) => r.posted === r.topups + r.settles + r.refunds + r.adjustments,
  },
  { says: 'What is held is the sum of open holds.', holds: (r) => r.held === r.open_hold_sum },
  {
    says: 'No transfer is there twice.',
    holds: (r) => r.transfers === r.distinct_transfers,
  },
  {
    says: 'Each balance is the sum of its transfers.',
    holds: (r) => r.accounts_off_balance === 0,
  },
  {
    says: 'Each account holds the sum of its open holds.',
    holds: (r) => r.accounts_off_hold === 0,
  },
  {
    says: 'Each request that was charged has its transfer.',
    holds: (r) => r.charges_without_transfer === 0,
  },
  {
    says: 'No open hold has been charged.',
    holds: (r) => r.open_holds_charged === 0,
  },
  { says: 'Each key holds the sum of its open holds.', holds: (r) => r.keys_off_hold === 0 },
  {
    says: 'The keys have spent what their transfers took.',
    holds: (r) => r.key_spending === r.keyed_transfers,
  },
  {
    says: 'The request log names what the ledger took.',
    holds: (r) => r.requests_off_cost === 0,
  },
  {
    says: 'Each answer kept under an idempotency key was charged.',
    holds: (r) => r.answers_without_charge === 0,
  },
  {
    says: 'All that was put off could be booked.',
    holds: (r) => r.work_that_failed === 0,
  },
];

function amountText(micro_usd: number): string {
  return `${usd(micro_usd).toFixed(6).padStart(20)} USD`;
}
