// What the checker says about shadow calls: another account pays for each that an engine served, once.
import { costExcuses, settleMs } from './check-spending.ts';
import type { Evidence, Line } from './evidence.ts';
import { isTouched } from './incidents.ts';
import type { EngineCall } from './outside.ts';
import { shadowPayer } from './plan.ts';

export function checkShadows(evidence: Evidence, lines: readonly Line[]): string[] {
  const { plan, tenants } = evidence;
  if (!plan.hasShadows) return [];
  const accountId = tenants[shadowPayer]?.accountId;
  const paid = lines.filter((line) => line.kind === 'settle' && line.accountId === accountId);
  const calls = shadowCalls(evidence).filter(({ isServed, owed }) => isServed && owed > 0);
  // Who paid for what is not known: the log does not keep what a shadow asked for.
  const amounts = new Set([...paid.map(({ amount }) => -amount), ...calls.map(({ owed }) => owed)]);
  return [...amounts].flatMap((amount) => {
    const served = calls.filter(({ owed }) => owed === amount);
    const due = served.filter((call) => isDue(evidence, call));
    const charges = paid.filter((line) => line.amount === -amount).length;
    if (amount === 0 || (charges <= served.length && charges >= due.length)) return [];
    return [
      `${charges} shadows were charged ${amount}, and engines served ${served.length}, of which ` +
        `${due.length} must be paid for`,
    ];
  });
}

/** Calls of engines that no caller has asked. */
export function shadowCalls({ outside, plan }: Evidence): EngineCall[] {
  return plan.hasShadows ? outside.engineCalls.filter(({ isShadow }) => isShadow) : [];
}

/** It reached a gateway that lived on, and nothing explains that it is not charged. */
function isDue(evidence: Evidence, call: EngineCall): boolean {
  const by = call.endedAt + settleMs;
  if (!call.isDelivered) return false;
  if (call.gatewayEndedAt <= by || evidence.endedAt <= by) return false;
  return !isTouched(evidence, costExcuses, call.at, by);
}
