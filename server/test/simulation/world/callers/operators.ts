// Operators, who pay in, give back and read reports, and managers, who change what others rely on.
import { ask, begin, insist, keyed } from './asking.ts';
import type { Caller, Change, Turn, Operation } from './caller.ts';
import { answeredTry, teams } from './requests.ts';
import { adminToken } from '../environment.ts';
import type { Body } from '../network.ts';
import { pick } from '../plan.ts';

export const operators = {
  operator: async (caller) => {
    const { world } = caller;
    const operation = begin(caller, 'topup');
    if (world.random() < 0.2) return refundOne(caller, operation);
    if (world.random() < 0.5) {
      operation.amount = 1000 * (1 + Math.floor(world.random() * 60));
      return insist(caller, keyed(operation));
    }
    operation.kind = 'other';
    const path = pick(world.random, [
      `/admin/v1/overview`,
      `/admin/v1/requests?limit=5`,
      `/admin/v1/books`,
      `/admin/v1/transfers?limit=5`,
      `/admin/v1/jobs?limit=5`,
    ]);
    await ask(caller, operation, { path, key: adminToken });
  },
  manager: manage,
} satisfies Record<string, Turn>;

/** Changes what others rely on while they work, one thing at a time. */
async function manage(caller: Caller): Promise<void> {
  const { world, tenant } = caller;
  const { accountId, keyId, capped } = tenant;
  const roll = world.random();
  if (roll < 0.1) {
    const team = pick(world.random, teams);
    const cap = pick(world.random, [0, 20_000, 50_000, 200_000]);
    const body = { tag: 'team', value: team, daily_cap_usd: cap / 1_000_000 };
    const path = `/admin/v1/accounts/${accountId}/budgets`;
    return void (await change(caller, { path, method: 'POST', body, budget: { team, cap } }));
  }
  if (roll < 0.25) {
    const cap = pick(world.random, [0, 20_000, 50_000, 200_000]);
    const body = { daily_cap_usd: cap / 1_000_000 };
    const path = `/admin/v1/keys/${capped.keyId}`;
    return void (await change(caller, { path, method: 'PATCH', body, cap }));
  }
  if (roll < 0.4) {
    const allowsSearch = world.random() < 0.6;
    const body = { providers: allowsSearch ? null : ['stt_a', 'stt_b', 'stt_c'] };
    const path = `/admin/v1/accounts/${accountId}`;
    return void (await change(caller, { path, method: 'PATCH', body, allowsSearch }));
  }
  if (roll < 0.55) {
    const body = { overlap_hours: 1 };
    const path = `/admin/v1/keys/${keyId}/rotate`;
    const made = await change(caller, { path, method: 'POST', body });
    if (made) tenant.key = String(made['key']);
    return;
  }
  if (roll < 0.75) return makeAndRevoke(caller);
  const operation = begin(caller, 'adjust');
  operation.amount = -1000 * (1 + Math.floor(world.random() * 20));
  await insist(caller, keyed(operation));
}

/** A key works once it is made, and not once it is revoked. */
async function makeAndRevoke(caller: Caller): Promise<void> {
  const path = `/admin/v1/accounts/${caller.tenant.accountId}/keys`;
  const made = await change(caller, { path, method: 'POST', body: { name: 'for a while' } });
  if (!made) return;
  const use = async (kind: 'balance' | 'revoked') => {
    const operation = begin(caller, kind === 'balance' ? kind : 'other');
    operation.secret = String(made['key']);
    await ask(caller, operation, { path: '/v1/balance', key: '' });
    return operation;
  };
  await use('balance');
  const revoked = await change(caller, {
    path: `/admin/v1/keys/${String(made['id'])}`,
    method: 'DELETE',
  });
  if (!revoked) return;
  // Other gateways refuse it a little later.
  if (caller.world.shared) await caller.world.sleep(caller.life, 5000);
  (await use('revoked')).isForbidden = true;
}

/** The answer, once the change is acknowledged. */
async function change(caller: Caller, made: Change): Promise<Body | undefined> {
  const operation = keyed(begin(caller, 'change'));
  operation.change = made;
  await insist(caller, operation);
  const answer = operation.tries.at(-1)?.answer;
  return answer?.kind === 'answer' && answer.status < 300 ? answer.body : undefined;
}

/** Gives back what a search of this account has cost, once. */
async function refundOne(caller: Caller, operation: Operation): Promise<void> {
  const { operations, account, world } = caller;
  const paid = operations.filter(
    (one) =>
      one.kind === 'search' &&
      one.account === account &&
      costOf(one) > 0 &&
      one.id !== operation.id,
  );
  const chosen = paid.length === 0 ? undefined : pick(world.random, paid);
  if (!chosen) {
    operation.kind = 'other';
    return;
  }
  operation.kind = 'refund';
  operation.amount = costOf(chosen);
  operation.of = requestIdOf(chosen);
  await insist(caller, keyed(operation));
}

function costOf(operation: Operation): number {
  const usage = answeredTry(operation)?.body['usage'] as { cost_usd?: number } | undefined;
  return Math.round((usage?.cost_usd ?? 0) * 1_000_000);
}

function requestIdOf(operation: Operation): string {
  return answeredTry(operation)?.headers.get('x-request-id') ?? '';
}
