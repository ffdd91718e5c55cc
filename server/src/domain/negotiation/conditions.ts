// Conditions that several providers' tables share.
import { hasPath } from '../domains.ts';
import type { Condition } from './support.ts';

export const hosts_only: Condition = {
  reads: 'every entry is a host without a path',
  holds: (_asks, value) => !(value as string[]).some(hasPath),
};

/** For lists of which the provider takes only so many entries, and none with a path. */
export const hostsUpTo = (count: number): Condition => ({
  reads: `at most ${count} entries are given, all of them hosts without a path`,
  holds: (asks, value) => (value as string[]).length <= count && hosts_only.holds(asks, value),
});

/** For lists of which the provider takes only so many entries. */
export const entriesUpTo = (count: number): Condition => ({
  reads: `at most ${count} entries are given`,
  holds: (_asks, value) => (value as string[]).length <= count,
});

export const nothing_included: Condition = {
  reads: 'include_domains is not used',
  holds: (asks) => ((asks['include_domains'] as string[] | undefined)?.length ?? 0) === 0,
};
