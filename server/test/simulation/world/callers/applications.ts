// Applications that a person has let in (OAuth): they exchange a code for tokens, refresh them, and
// search with them. Some use a token again, which a thief would, or give their access back.
import { ask, begin, insist } from './asking.ts';
import type { Caller, Grant, Operation, Turn } from './caller.ts';
import { answeredTry, requestOf } from './requests.ts';
import { pick } from '../plan.ts';

export const applications = {
  application: async (caller) => {
    const { world, life } = caller;
    const grant = await grantOf(caller);
    if (!grant) return;
    const roll = world.random();
    if (roll < 0.6) return search(caller, grant);
    if (roll < 0.8) return refresh(caller, grant);
    if (roll < 0.87) {
      await Promise.all([refresh(caller, grant), refresh(caller, grant)]);
      return search(caller, grant);
    }
    if (roll < 0.92) return search(caller, grant, pick(world.random, grant.tokens).access);
    if (roll < 0.97) await send(caller, grant, 'revoke', newest(grant)?.refresh);
    else {
      await refresh(caller, grant);
      await world.sleep(life, longestRetryMs);
      await send(caller, grant, 'token', grant.tokens.at(-2)?.refresh);
    }
    await search(caller, grant);
    await refresh(caller, grant);
  },
} satisfies Record<string, Turn>;

/** Until then a used refresh token gets the same tokens again. */
const longestRetryMs = 125_000;

/** After an idle time: the tokens of before, new ones, and those that a thief has. */
export async function returnOfApplications(caller: Caller): Promise<void> {
  for (const grant of caller.tenant.grants) {
    await search(caller, grant);
    await refresh(caller, grant);
    await search(caller, grant);
    await send(caller, grant, 'token', grant.tokens.at(-3)?.refresh ?? grant.code);
    await search(caller, grant);
    await refresh(caller, grant);
  }
}

/** The one that this caller has, or a new one while there are codes. */
async function grantOf(caller: Caller): Promise<Grant | undefined> {
  const { tenant, at } = caller;
  const own = tenant.grants.find((one) => one.owner === at);
  const code = own ? undefined : tenant.codes.shift();
  if (own || code === undefined) return own;
  const grant: Grant = { code, owner: at, tokens: [] };
  // To send it again would end the grant.
  await send(caller, grant, 'token', code);
  if (grant.tokens.length === 0) return undefined;
  tenant.grants.push(grant);
  return grant;
}

function newest({ tokens }: Grant): Grant['tokens'][number] | undefined {
  return tokens.at(-1);
}

async function search(caller: Caller, grant: Grant, token = newest(grant)?.access): Promise<void> {
  await send(caller, grant, 'search', token);
}

/** Again and again until there is an answer. */
async function refresh(caller: Caller, grant: Grant): Promise<void> {
  const { tenant } = caller;
  const { status } = (await send(caller, grant, 'token', newest(grant)?.refresh)) ?? {};
  if (status === 400) tenant.grants = tenant.grants.filter((one) => one !== grant);
}

async function send(
  caller: Caller,
  grant: Grant,
  kind: 'token' | 'revoke' | 'search',
  sent: string | undefined,
): Promise<{ status: number } | undefined> {
  if (sent === undefined) return undefined;
  const operation: Operation = begin(caller, kind);
  operation.access = { code: grant.code, sent };
  if (kind === 'search' || sent === grant.code)
    await ask(caller, operation, requestOf(caller, operation));
  else await insist(caller, operation);
  const answer = operation.tries.at(-1)?.answer;
  const { access_token: access, refresh_token } = answeredTry(operation)?.body ?? {};
  const isNew = access !== undefined && grant.tokens.every((one) => one.access !== access);
  if (isNew) grant.tokens.push({ access: String(access), refresh: String(refresh_token) });
  return answer?.kind === 'answer' ? answer : undefined;
}
