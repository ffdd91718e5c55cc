// Converts between a policy and the fields in which a person enters it.
import type { ContentMode, Policy, ProviderId, ToolName } from '@trivium/contract';

const numberFields = [
  'requests_per_minute',
  'requests_at_once',
  'max_cost_usd',
  'max_audio_minutes',
  'overdraft_usd',
  'max_stored_mb',
  'keep_query_hours',
] as const;
const domainFields = ['allowed_domains', 'blocked_domains'] as const;

export type NumberField = (typeof numberFields)[number];
export type DomainField = (typeof domainFields)[number];
export type PolicyInput = Record<NumberField | DomainField, string> & {
  tools: readonly ToolName[];
  providers: readonly ProviderId[];
  content: ContentMode | '';
};

export const policyFields = [...numberFields, ...domainFields];

export function inputOf(policy: Partial<Policy> | undefined): PolicyInput {
  return {
    tools: policy?.tools ?? [],
    providers: policy?.providers ?? [],
    content: policy?.content ?? '',
    ...eachField(numberFields, (name) => String(policy?.[name] ?? '')),
    ...eachField(domainFields, (name) => (policy?.[name] ?? []).join('\n')),
  };
}

/** An empty field sets no limit. */
export function policyOf(input: PolicyInput): Policy {
  const list = <T>(items: readonly T[]) => (items.length === 0 ? null : [...items]);
  return {
    tools: list(input.tools),
    providers: list(input.providers),
    content: input.content === '' ? null : input.content,
    ...eachField(numberFields, (name) => (input[name].trim() === '' ? null : Number(input[name]))),
    ...eachField(domainFields, (name) =>
      list(input[name].split(/[\s,]+/).filter((line) => line !== '')),
    ),
  };
}

function eachField<K extends string, T>(names: readonly K[], valueOf: (name: K) => T) {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, T>;
}
