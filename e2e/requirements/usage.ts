// What a request cost, in money and in credits.
export const usage = {
  'usage.cost-is-the-debit': 'The balance falls by exactly the cost_usd that the answer reports.',
  'usage.cost-is-the-provider-price': 'cost_usd is the price of the provider with nothing added.',
  'usage.credits-beside-cost': 'Credits are a number next to the cost.',
  'usage.transcription-never-negative': 'The cost of a transcription is never below zero.',
} as const;
