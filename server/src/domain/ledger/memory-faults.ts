// What must hold of the money that a gateway knows in memory, against itself and against the store.
import type { AccountState } from './book.ts';
import type { KnownAccount } from './reservations.ts';

/** Whole and not below 0, which neither infinity nor what is no number is. */
function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** One line for each fault that needs no store to be found. */
export function faultsWithin(id: string, known: KnownAccount): string[] {
  const { free = 0, reserved, counted, pending } = known;
  const rules: readonly [boolean, string, number][] = [
    [isAmount(reserved), 'What is reserved in memory is an amount', reserved],
    [isAmount(counted), 'Each reservation in memory is an amount', counted],
    [isAmount(pending), 'What is asked of the store is an amount', pending],
    [Number.isSafeInteger(free), 'What is free is an amount', free],
    [Object.is(reserved, counted), `What is reserved is the sum of ${counted} micro-USD`, reserved],
  ];
  return rules.flatMap(([holds, rule, found]) =>
    holds ? [] : [`${rule}: account ${id}, found ${found} micro-USD.`],
  );
}

/** Undefined when memory does not know what is free, or knows what the store has. */
export function faultBetween(
  id: string,
  known: KnownAccount | undefined,
  { posted, held }: AccountState,
): string | undefined {
  const free = known?.free;
  if (free === undefined || free === posted - held) return undefined;
  return (
    `What memory knows to be free is what the store has: account ${id}, ` +
    `found ${free}, expected ${posted - held} micro-USD.`
  );
}
