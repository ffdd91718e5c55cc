// What the policies of an account and of a key together allow a request: the stricter of the two.
import { noPolicy, strictestMode } from '@trivium/contract';
import type { ContentMode, Policy, PolicyChange, ProviderId, ToolName } from '@trivium/contract';
import type { RequestLimit, RequestLimits } from '../../requests/core/index.ts';
import { compileDomainRules } from './domain-rules.ts';
import type { AllowsPage } from './domain-rules.ts';

/** Absent fields set no limit. */
export interface RequestPolicy {
  /** The only tools. */
  tools?: readonly ToolName[];
  /** The only providers. */
  providers?: readonly ProviderId[];
  /** Whether a page may be found or read. */
  allowsPage?: AllowsPage;
  /** The same rules as text, equal for equal rules. */
  pageRules?: string;
  /** Counted for the key and for the whole account. */
  limits?: RequestLimits;
  /** The most that one request may cost. */
  max_cost_usd?: number;
  /** The longest recording that a job of unknown length counts with. */
  max_audio_minutes?: number;
  /** How far below zero open jobs may take the balance, instead of the setting. */
  overdraft_usd?: number;
  /** The same by the key, which can only lower it. */
  key_overdraft_usd?: number;
  /** What the account may keep, in MiB, where the setting allows more. */
  max_stored_mb?: number;
  /** How long the text of a query is kept; 0 keeps none. */
  keep_query_hours?: number;
  /** What is done with foreign text, where the request asks for nothing stricter. */
  content?: ContentMode;
}

/** Undefined when neither sets a limit. */
export function combinePolicies(
  account: Policy | undefined,
  key: Policy | undefined,
): RequestPolicy | undefined {
  const both = [account, key].flatMap((one) => one ?? []);
  const tools = inAll(both.map((one) => one.tools));
  const providers = inAll(both.map((one) => one.providers));
  const limits = limitsOf(account, key);
  const maxCostUsd = least(both.map((one) => one.max_cost_usd));
  const maxAudioMinutes = least(both.map((one) => one.max_audio_minutes));
  const { overdraft_usd: overdraftUsd } = account ?? noPolicy;
  const { overdraft_usd: keyOverdraftUsd } = key ?? noPolicy;
  const maxStoredMb = least(both.map((one) => one.max_stored_mb));
  const keepHours = least(both.map((one) => one.keep_query_hours));
  const content = strictestMode(...both.map((one) => one.content));
  const allowsPage = allOf(both.flatMap((one) => compileDomainRules(one) ?? []));
  const policy: RequestPolicy = {
    ...(tools ? { tools } : {}),
    ...(providers ? { providers } : {}),
    ...(allowsPage ? { allowsPage, pageRules: rulesText(both) } : {}),
    ...(limits ? { limits } : {}),
    ...(maxCostUsd === undefined ? {} : { max_cost_usd: maxCostUsd }),
    ...(maxAudioMinutes === undefined ? {} : { max_audio_minutes: maxAudioMinutes }),
    ...(overdraftUsd === null ? {} : { overdraft_usd: overdraftUsd }),
    ...(keyOverdraftUsd === null ? {} : { key_overdraft_usd: keyOverdraftUsd }),
    ...(maxStoredMb === undefined ? {} : { max_stored_mb: maxStoredMb }),
    ...(keepHours === undefined ? {} : { keep_query_hours: keepHours }),
    ...(content === undefined ? {} : { content }),
  };
  return Object.keys(policy).length === 0 ? undefined : policy;
}

/** The policy after a change; a field that is absent stays as it is. */
export function changePolicy(before: Policy | undefined, change: PolicyChange): Policy {
  const was = before ?? noPolicy;
  const names = Object.keys(noPolicy) as (keyof Policy)[];
  const fields = names.map((name) => [name, change[name] === undefined ? was[name] : change[name]]);
  return Object.fromEntries(fields) as Policy;
}

function rulesText(policies: readonly Policy[]): string {
  const lists = policies.map((one) => [one.blocked_domains, one.allowed_domains]);
  return JSON.stringify(lists.filter(([blocked, allowed]) => blocked ?? allowed));
}

function limitsOf(account: Policy | undefined, key: Policy | undefined): RequestLimits | undefined {
  const ofAccount = limitOf(account);
  const ofKey = limitOf(key);
  if (!ofAccount && !ofKey) return undefined;
  return { ...(ofAccount ? { account: ofAccount } : {}), ...(ofKey ? { key: ofKey } : {}) };
}

function limitOf(policy: Policy | undefined): RequestLimit | undefined {
  const { requests_per_minute: perMinute, requests_at_once: atOnce } = policy ?? {};
  const limit = {
    ...(typeof perMinute === 'number' ? { per_minute: perMinute } : {}),
    ...(typeof atOnce === 'number' ? { at_once: atOnce } : {}),
  };
  return Object.keys(limit).length === 0 ? undefined : limit;
}

/** Undefined when no list sets a limit. */
function inAll<T>(lists: readonly (readonly T[] | null)[]): T[] | undefined {
  const [first, ...others] = lists.flatMap((list) => (list ? [list] : []));
  return first?.filter((value) => others.every((list) => list.includes(value)));
}

function least(values: readonly (number | null)[]): number | undefined {
  const given = values.filter((value) => value !== null);
  return given.length === 0 ? undefined : Math.min(...given);
}

function allOf(rules: readonly AllowsPage[]): AllowsPage | undefined {
  const [first, second] = rules;
  return first && second ? (url) => first(url) && second(url) : first;
}
