// What a request cost, in money and in credits.
import type { Requirement } from '../requirement.ts';

export const usage = [
  {
    id: 'usage.cost-is-the-debit',
    says: 'The balance falls by exactly the cost_usd that the answer reports.',
  },
  {
    id: 'usage.cost-is-the-provider-price',
    says: 'cost_usd is the price of the provider with nothing added.',
  },
  { id: 'usage.credits-beside-cost', says: 'Credits are a number next to the cost.' },
  {
    id: 'usage.transcription-never-negative',
    says: 'The cost of a transcription is never below zero.',
  },
] as const satisfies readonly Requirement[];
