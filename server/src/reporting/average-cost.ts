// The average cost of an account's recent requests, for estimates.
import { usd } from '../billing/core/index.ts';
import type { ReadableDatabase } from '../store/index.ts';
import { sumCosts } from '../requests/index.ts';

const newest = 1000;

export async function readAverageCost(
  { database }: { database: ReadableDatabase },
  of: { account_id: string; tool: string; provider: string },
): Promise<{ average_cost_usd: number | null; average_of: number }> {
  const { requests, cost } = await sumCosts(database.reader, { ...of, newest });
  const average = requests === 0 ? null : usd(Math.round(cost / requests));
  return { average_cost_usd: average, average_of: requests };
}
