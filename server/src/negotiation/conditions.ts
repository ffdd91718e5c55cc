// Conditions that several providers' tables share.
import type { Condition } from './support.ts';

export const nothingIncluded: Condition = {
  reads: 'include_domains is not used',
  holds: (asks) => ((asks['include_domains'] as string[] | undefined)?.length ?? 0) === 0,
};
