// What stands before a provider: its circuit, its credentials and its turnstile, one set for all
// requests of a process.
import type { ProviderHealth } from '@trivium/contract';
import {
  closedCircuit,
  isPassable,
  passCircuit,
  recordCall,
} from '../domain/resilience/circuit.ts';
import type { CallResult, Circuit } from '../domain/resilience/circuit.ts';
import {
  makeCredentials,
  restingCount,
  restKey,
  takeKey,
} from '../domain/resilience/credentials.ts';
import type { Credentials } from '../domain/resilience/credentials.ts';
import type { Refusal, RefusalKind } from '../domain/refusal.ts';
import type { Clock } from '../platform/clock.ts';
import type { Upstream } from '../platform/upstreams.ts';
import { makeTurnstile } from './turnstile.ts';
import type { Turnstile, TurnstileLimits } from './turnstile.ts';

export interface Guard {
  clock: Clock;
  circuit: Circuit;
  credentials: Credentials;
  turnstile: Turnstile;
}

export function makeGuard(upstream: Upstream, limits: TurnstileLimits, clock: Clock): Guard {
  return {
    clock,
    circuit: closedCircuit(clock.ticks()),
    credentials: makeCredentials(keysOf(upstream)),
    turnstile: makeTurnstile(limits, clock),
  };
}

export function keysOf({ key, spare_keys = [] }: Upstream): readonly string[] {
  return key === undefined ? [] : [key, ...spare_keys];
}

/** False while the provider is left alone. */
export function isWell({ circuit, clock }: Guard): boolean {
  return isPassable(circuit, clock.ticks());
}

/** A provider's health by this gateway's own experience. */
export function healthOf({ circuit, clock, credentials, turnstile }: Guard): ProviderHealth {
  return {
    circuit: circuit.state,
    credentials: credentials.keys.length,
    credentials_resting: restingCount(credentials, clock.ticks()),
    running: turnstile.running(),
    waiting: turnstile.waiting(),
  };
}

/** Undefined when the call may be made, and then `leaveGuard` must follow. */
export async function enterGuard(guard: Guard, signal?: AbortSignal): Promise<Refusal | undefined> {
  if (!isWell(guard)) return leftAlone(guard);
  const room = guard.turnstile.enter(signal);
  if (room !== true && !(await room)) return signal?.aborted ? callerLeft : overloaded;
  // While it waited, the circuit may have opened.
  if (!isWell(guard)) {
    guard.turnstile.leave();
    return leftAlone(guard);
  }
  guard.circuit = passCircuit(guard.circuit, guard.clock.ticks());
  return undefined;
}

/** `refusal` is what came of the call; undefined when it was answered. */
export function leaveGuard(guard: Guard, key: string | undefined, refusal?: Refusal): void {
  guard.turnstile.leave();
  const now = guard.clock.ticks();
  const result = refusal ? result_of_refusal[refusal.kind] : 'success';
  guard.circuit = recordCall(guard.circuit, result, now);
  if (!refusal) return;
  const { kind, retry_after_ms } = refusal;
  guard.credentials = restKey(guard.credentials, key, kind, retry_after_ms, now);
}

/** The credential to use for the next call. */
export function nextKey(guard: Guard): string | undefined {
  const taken = takeKey(guard.credentials, guard.clock.ticks());
  guard.credentials = taken.credentials;
  return taken.key;
}

/** A provider that says no is well; one that breaks, or does not answer, is not. */
const result_of_refusal: Record<RefusalKind, CallResult> = {
  unavailable: 'failure',
  unreachable: 'failure',
  uncertain: 'failure',
  rejected: 'success',
  rate_limited: 'neither',
  out_of_credit: 'neither',
  unauthorized: 'neither',
  overloaded: 'neither',
  abandoned: 'neither',
};

function leftAlone({ circuit, clock }: Guard): Refusal {
  const retry_after_ms = Math.max(1000, Math.ceil(circuit.open_until - clock.ticks()));
  const seconds = Math.ceil(retry_after_ms / 1000);
  return {
    kind: 'unavailable',
    message:
      'it failed often lately, so it is left alone; ' +
      `try again in ${seconds} s, or ask another provider`,
    retry_after_ms,
  };
}

const overloaded: Refusal = {
  kind: 'overloaded',
  message: 'too many calls to it are under way or waiting here; nothing was sent',
  retry_after_ms: 1000,
};

export const callerLeft: Refusal = {
  kind: 'abandoned',
  message: 'the caller left before the provider was called',
};
