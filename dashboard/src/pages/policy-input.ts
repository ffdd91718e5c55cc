// The fields of a policy as a person types them, and the policy that they mean.
import type { Policy, ProviderId, ToolName } from '@trivium/contract';

export interface PolicyInput {
  tools: readonly ToolName[];
  providers: readonly ProviderId[];
  requests_per_minute: string;
  requests_at_once: string;
  max_cost_usd: string;
  max_audio_minutes: string;
  overdraft_usd: string;
  max_stored_mb: string;
  keep_query_hours: string;
  allowed_domains: string;
  blocked_domains: string;
}

export const policyFields = [
  'requests_per_minute',
  'requests_at_once',
  'max_cost_usd',
  'max_audio_minutes',
  'overdraft_usd',
  'max_stored_mb',
  'keep_query_hours',
  'allowed_domains',
  'blocked_domains',
] as const;

export function inputOf(policy: Partial<Policy> | undefined): PolicyInput {
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? '' : String(value);
  return {
    tools: policy?.tools ?? [],
    providers: policy?.providers ?? [],
    requests_per_minute: number(policy?.requests_per_minute),
    requests_at_once: number(policy?.requests_at_once),
    max_cost_usd: number(policy?.max_cost_usd),
    max_audio_minutes: number(policy?.max_audio_minutes),
    overdraft_usd: number(policy?.overdraft_usd),
    max_stored_mb: number(policy?.max_stored_mb),
    keep_query_hours: number(policy?.keep_query_hours),
    allowed_domains: (policy?.allowed_domains ?? []).join('\n'),
    blocked_domains: (policy?.blocked_domains ?? []).join('\n'),
  };
}

/** An empty field sets no limit. */
export function policyOf(input: PolicyInput): Policy {
  const number = (text: string) => (text.trim() === '' ? null : Number(text));
  const list = <T>(items: readonly T[]) => (items.length === 0 ? null : [...items]);
  const lines = (text: string) => list(text.split(/[\s,]+/).filter((line) => line !== ''));
  return {
    tools: list(input.tools),
    providers: list(input.providers),
    requests_per_minute: number(input.requests_per_minute),
    requests_at_once: number(input.requests_at_once),
    max_cost_usd: number(input.max_cost_usd),
    max_audio_minutes: number(input.max_audio_minutes),
    overdraft_usd: number(input.overdraft_usd),
    max_stored_mb: number(input.max_stored_mb),
    keep_query_hours: number(input.keep_query_hours),
    allowed_domains: lines(input.allowed_domains),
    blocked_domains: lines(input.blocked_domains),
  };
}
