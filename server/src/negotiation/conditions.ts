// Conditions that several providers' tables share.
import type { Condition } from './support.ts';

/** In an extraction: the query steers these and nothing else. */
export const excerptsWanted: Condition = {
  reads: 'excerpts are asked for',
  holds: (asks) => asks['content.excerpts'] !== undefined,
};
export const summaryWanted: Condition = {
  reads: 'a summary is asked for',
  holds: (asks) => asks['content.summary'] === true,
};

export const nothingIncluded: Condition = {
  reads: 'include_domains is not used',
  holds: (asks) => ((asks['include_domains'] as string[] | undefined)?.length ?? 0) === 0,
};
