// Usage sums as reports show them: each request was served, refused or failed.
import { usd } from '../../billing/core/index.ts';
import type { UsageSums } from '../../requests/core/index.ts';

export function sumsForReport({ requests, refusals: refused, failures, cost }: UsageSums) {
  const served = requests - refused - failures;
  return { requests, served, refused, failed: failures, failures, cost_usd: usd(cost) };
}
