// What the policies of an account and a key together allow a request: the stricter of the two.
import {
  noPolicy,
  strictestMode,
  type ContentMode,
  type Policy,
  type PolicyChange,
  type ProviderId,
  type ToolName,
} from '@trivium/contract';
import type { RequestLimit, RequestLimits } from '../../requests/core/index.ts';
import { compileDomainRules, type AllowsPage } from './domain-rules.ts';

/** An absent field means no limit. */
export interface RequestPolicy {
  /** The only tools that are allowed. */
  tools?: readonly ToolName[];
  /** The only providers that are allowed. */
  providers?: readonly ProviderId[];
  /** Decides whether a page may be found or read. */
  allowsPage?: AllowsPage;
  /** The same rules as text. Equal rules have equal texts. */
  pageRules?: string;
  /** Counted for the key and for the whole account. */
  limits?: RequestLimits;
  /** The most that one request may cost. */
  max_cost_usd?: number;
  /** The longest recording that is assumed for a job of unknown length. */
  max_audio_minutes?: number;
  /** How far below zero open jobs may take the balance. Overrides the setting. */
  overdraft_usd?: number;
  /** The same limit of the key, which can only lower it. */
  key_overdraft_usd?: number;
  /** How much the account may store, in MiB, if the setting allows more. */
  max_stored_mb?: number;
  /** How long the text of a query is kept. 0 keeps none. */
  keep_query_hours?: number;
  /** How text from the web is checked, unless the request asks for something stricter. */
  content?: ContentMode;
}

/** Undefined if neither sets a limit. */
export function combinePolicies(
  account: Policy | undefined,
  key: Policy | undefined,
): RequestPolicy | undefined {
  const both = [account, key].flatMap((one) => one ?? []);
  if (both.length === 0) return undefined;
  const allowsPage = allOf(both.flatMap((one) => compileDomainRules(one) ?? []));
  return present<RequestPolicy>({
    tools: inAll(both.map((one) => one.tools)),
    providers: inAll(both.map((one) => one.providers)),
    allowsPage,
    pageRules: allowsPage && rulesText(both),
    limits: present<RequestLimits>({ account: limitOf(account), key: limitOf(key) }),
    max_cost_usd: least(both.map((one) => one.max_cost_usd)),
    max_audio_minutes: least(both.map((one) => one.max_audio_minutes)),
    overdraft_usd: account?.overdraft_usd ?? undefined,
    key_overdraft_usd: key?.overdraft_usd ?? undefined,
    max_stored_mb: least(both.map((one) => one.max_stored_mb)),
    keep_query_hours: least(both.map((one) => one.keep_query_hours)),
    content: strictestMode(...both.map((one) => one.content)),
  });
}

/** Without the fields that are undefined. Undefined if none is left. */
function present<T extends object>(fields: {
  [Name in keyof T]-?: T[Name] | undefined;
}): T | undefined {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : (Object.fromEntries(known) as T);
}

/** The policy after a change. Absent fields stay as they are. */
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

function limitOf(policy: Policy | undefined): RequestLimit | undefined {
  return present<RequestLimit>({
    per_minute: policy?.requests_per_minute ?? undefined,
    at_once: policy?.requests_at_once ?? undefined,
  });
}

/** Undefined if no list sets a limit. */
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
