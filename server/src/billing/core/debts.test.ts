// Debts: a debt that the ledger's rules allow is always explained, and no other is.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { explainedDebts, type DebtMovement } from './audit-faults.ts';

const minute = 60_000;

const step = fc.oneof(
  fc.record({ does: fc.constant('pay in' as const), amount: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ does: fc.constant('hold' as const), amount: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ does: fc.constant('settle' as const), amount: fc.integer({ min: 0, max: 60 }) }),
  fc.record({ does: fc.constant('take out' as const), amount: fc.integer({ min: 1, max: 20 }) }),
);

test('what the ledger allows is always explained', () => {
  let inDebt = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const { free, movements } = live(steps);
      if (free >= 0) return;
      inDebt += 1;
      const [debt] = explainedDebts(movements.map((one) => ({ ...one, free })));
      expect(debt?.explained).toBeGreaterThanOrEqual(-free);
    }),
    // Few of the histories end in debt.
    { numRuns: 1000 },
  );
  expect(inDebt).toBeGreaterThan(0);
});

/** A hold never exceeds what is available; a settle may exceed its hold. */
function live(steps: readonly { does: string; amount: number }[]) {
  const movements: DebtMovement[] = [];
  const holds: number[] = [];
  let posted = 0;
  let at = 0;
  const free = () => posted - holds.reduce((sum, held) => sum + held, 0);
  const note = (kind: string, amount: number, excess: number) => {
    posted += amount;
    movements.push({ account_id: 'a', free: 0, kind, amount, excess, created_at: at });
  };
  for (const { does, amount } of steps) {
    at += minute;
    if (does === 'pay in') note('topup', amount, 0);
    else if (does === 'take out' && free() >= amount) note('adjust', -amount, 0);
    else if (does === 'hold' && free() >= amount) holds.push(amount);
    else if (does === 'settle' && holds.length > 0) {
      const held = holds.shift() ?? 0;
      note('settle', -amount, amount - held);
    }
  }
  return { free: free(), movements };
}

const line = { account_id: 'a', free: -10, kind: 'settle', amount: -10, excess: 0, created_at: 0 };

test('a charge within its hold, an adjustment or no movement explains no debt', () => {
  for (const one of [line, { ...line, kind: 'adjust' }, { ...line, kind: null }]) {
    expect(explainedDebts([one])).toEqual([{ account_id: 'a', free: -10, explained: 0 }]);
  }
});

test('a payment reduces an earlier excess, and not a later one', () => {
  const excess = { ...line, excess: 10 };
  const topup = { ...line, kind: 'topup', amount: 8 };
  const later = 10 * minute;
  const explained = (...movements: DebtMovement[]) => explainedDebts(movements)[0]?.explained;
  expect(explained(excess, { ...topup, created_at: later })).toBe(2);
  expect(explained(topup, { ...excess, created_at: later })).toBe(10);
  // The clocks of two gateways may differ by a minute.
  expect(explained(excess, { ...topup, created_at: 1000 })).toBe(10);
});
