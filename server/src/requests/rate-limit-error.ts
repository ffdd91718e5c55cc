// The error of a request that reached a rate limit of its key or its account.
import { GatewayError } from '@trivium/contract/gateway-error';
import type { RateLimited } from './core/rate-limit.ts';

export function rateLimitError({ whose, limit, retry_after_s }: RateLimited): GatewayError {
  const [words, detail] =
    'per_minute' in limit
      ? [`${limit.per_minute} requests a minute`, { requests_per_minute: limit.per_minute }]
      : [`${limit.at_once} requests at once`, { requests_at_once: limit.at_once }];
  return new GatewayError(
    'rate_limited',
    `This ${whose} may make ${words}, and has reached that limit. ` +
      `Try again in ${retry_after_s} s, or have the limit raised. Nothing was charged.`,
    { ...detail, limit_of: whose, retry_after_s },
    { headers: { 'retry-after': String(retry_after_s) } },
  );
}
