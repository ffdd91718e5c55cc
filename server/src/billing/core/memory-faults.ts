// Checks the balances and holds that a gateway keeps in memory, for the audit.
import type { AccountState } from './book.ts';
import type { KnownAccount } from './reservations.ts';

function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** One line for each fault that can be found without the store. */
export function faultsWithin(id: string, known: KnownAccount): string[] {
  const { free = 0, reserved, counted, pending } = known;
  const rules: readonly [boolean, string, number][] = [
    [isAmount(reserved), 'The reserved sum in memory is an amount', reserved],
    [isAmount(counted), 'Each hold in memory is an amount', counted],
    [isAmount(pending), 'The pending sum in memory is an amount', pending],
    [Number.isSafeInteger(free), 'The available amount in memory is a whole number', free],
    [
      Object.is(reserved, counted),
      `The reserved sum is the sum of the holds, ${counted} micro-USD`,
      reserved,
    ],
  ];
  return rules.flatMap(([holds, rule, found]) =>
    holds ? [] : [`${rule}: account ${id}, found ${found} micro-USD.`],
  );
}

/** Undefined if memory agrees with the store, or does not know the available amount. */
export function faultBetween(
  id: string,
  known: KnownAccount | undefined,
  { posted, held }: AccountState,
): string | undefined {
  const free = known?.free;
  if (free === undefined || free === posted - held) return undefined;
  return (
    `The available amount in memory equals the one in the store: account ${id}, ` +
    `found ${free}, expected ${posted - held} micro-USD.`
  );
}
