// The guard of each provider: circuit breaker, credential rotation and concurrency limit, shared by
// all requests of this process.
import type { ProviderHealth, ProviderRefusal } from '@trivium/contract';
import type { Account, CallResult, Circuits } from './core/circuits.ts';
import {
  closedCircuits,
  isPassableFor,
  openUntilFor,
  passCall,
  recordResult,
  reportedCircuit,
} from './core/circuits.ts';
import type { Refusal, RefusalKind } from './core/refusal.ts';
import type { Clock } from '../platform/clock.ts';
import type { Upstream } from '../settings/index.ts';
import { makeConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import type { ConcurrencyLimiter, ConcurrencyLimits } from '../platform/concurrency-limiter.ts';

export interface Guard {
  clock: Clock;
  circuits: Circuits;
  credentials: Credentials;
  limiter: ConcurrencyLimiter;
  /** The latest refusal that says something about the provider and not about a request. */
  lastRefusal: ProviderRefusal | null;
  /** Whether the provider is a sandbox. Undefined until it answers at an address that was set. */
  simulated?: boolean;
}

export function makeGuard(upstream: Upstream, limits: ConcurrencyLimits, clock: Clock): Guard {
  return {
    clock,
    circuits: closedCircuits(clock.ticks()),
    credentials: makeCredentials(keysOf(upstream)),
    limiter: makeConcurrencyLimiter(limits, clock),
    lastRefusal: null,
  };
}

export function keysOf({ key, spare_keys = [] }: Upstream): readonly string[] {
  return key === undefined ? [] : [key, ...spare_keys];
}

/** False while the circuit is open for this account. */
export function isAvailable({ circuits, clock }: Guard, account: Account): boolean {
  return isPassableFor(circuits, account, clock.ticks());
}

/** A provider's health as this process sees it. */
export function healthOf(guard: Guard): ProviderHealth {
  const { circuits, clock, credentials, limiter, lastRefusal } = guard;
  const { state, retryAt } = reportedCircuit(circuits);
  return {
    circuit: state,
    credentials: credentials.keys.length,
    credentials_resting: restingCount(credentials, clock.ticks()),
    credentials_refused: credentials.refusedAt.filter((at) => at !== undefined).length,
    retry_at: state === 'open' ? timeOf(clock, retryAt) : null,
    last_refusal: lastRefusal,
    running: limiter.running(),
    waiting: limiter.waiting(),
  };
}

/** Undefined if the call may be made. `leaveGuard` must then follow. */
export function enterGuard(
  guard: Guard,
  account: Account,
  signal?: AbortSignal,
): Refusal | undefined | Promise<Refusal | undefined> {
  if (!isAvailable(guard, account)) return circuitIsOpen(guard, account);
  const entered = guard.limiter.enter(account, signal);
  if (entered === true) return passGuard(guard, account);
  return Promise.resolve(entered).then((isIn) => {
    if (isIn) return passGuard(guard, account);
    return signal?.aborted ? callerLeft : overloaded;
  });
}

/** The circuit may have opened during the wait. */
function passGuard(guard: Guard, account: Account): Refusal | undefined {
  if (!isAvailable(guard, account)) {
    guard.limiter.leave(account);
    return circuitIsOpen(guard, account);
  }
  passCall(guard.circuits, account, guard.clock.ticks());
  return undefined;
}

/** `refusal` is the outcome of the call that began then. Undefined if it was answered. */
export function leaveGuard(
  guard: Guard,
  account: Account,
  key: string | undefined,
  began: number,
  refusal?: Refusal,
): void {
  guard.limiter.leave(account);
  const now = guard.clock.ticks();
  const result = refusal ? resultOfRefusal[refusal.kind] : 'success';
  recordResult(guard.circuits, account, result, began, now);
  if (!refusal) {
    guard.credentials = acceptKey(guard.credentials, key, began);
    return;
  }
  const { kind, status = null, retry_after_ms } = refusal;
  // What a caller sent, or how many calls are in progress here, says nothing about the provider.
  if (kind !== 'rejected' && kind !== 'overloaded' && kind !== 'abandoned') {
    guard.lastRefusal = { kind, status, at: guard.clock.now().toISOString() };
  }
  guard.credentials = restKey(guard.credentials, key, kind, retry_after_ms, now);
}

/** The credential to use for the next call. */
export function nextKey(guard: Guard): string | undefined {
  const taken = takeKey(guard.credentials, guard.clock.ticks());
  guard.credentials = taken.credentials;
  return taken.key;
}

/** A provider that refuses a request is healthy; one that fails or does not answer is not. */
const resultOfRefusal: Record<RefusalKind, CallResult> = {
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

/** The time of a future tick. For a past tick, the current time. */
function timeOf(clock: Clock, tick: number): string {
  const leftMs = Math.max(0, tick - clock.ticks());
  return new Date(clock.now().getTime() + leftMs).toISOString();
}

function circuitIsOpen({ circuits, clock }: Guard, account: Account): Refusal {
  const openUntil = openUntilFor(circuits, account);
  const retryAfterMs = Math.max(1000, Math.ceil(openUntil - clock.ticks()));
  const seconds = Math.ceil(retryAfterMs / 1000);
  return {
    kind: 'unavailable',
    message:
      `it has failed often, so its circuit is open until ${timeOf(clock, openUntil)}; then ` +
      `the gateway tries it again. Wait ${seconds} s, choose "auto", which prefers other ` +
      'providers, or for fusion name other members in provider_options.fusion.providers',
    retry_after_ms: retryAfterMs,
  };
}

const overloaded: Refusal = {
  kind: 'overloaded',
  message: 'too many calls to it are in progress or waiting here; nothing was sent',
  retry_after_ms: 1000,
};

export const callerLeft: Refusal = {
  kind: 'abandoned',
  message: 'the caller disconnected before the provider was called',
};

export interface Credentials {
  keys: readonly string[];
  /** Until when each credential is suspended, by its position. */
  restsUntil: readonly number[];
  /** When each was found to be wrong or out of credit. Undefined once a call with it succeeded. */
  refusedAt: readonly (number | undefined)[];
  /** The position of the next one. */
  next: number;
}

/** A rate limit passes soon. For a wrong or exhausted key, the operator has to act. */
export const rateLimitRestMs = 5_000;
export const longestRateLimitRestMs = 60_000;
export const refusedRestMs = 300_000;

export function makeCredentials(keys: readonly string[]): Credentials {
  return { keys, restsUntil: keys.map(() => 0), refusedAt: keys.map(() => undefined), next: 0 };
}

/** The next credential that is not suspended. If all are, the one whose suspension ends first. */
export function takeKey(
  credentials: Credentials,
  now: number,
): { key: string | undefined; credentials: Credentials } {
  const { keys, restsUntil, next } = credentials;
  let best = next;
  for (let step = 0; step < keys.length; step += 1) {
    const position = (next + step) % keys.length;
    if ((restsUntil[position] ?? 0) <= now) {
      best = position;
      break;
    }
    if ((restsUntil[position] ?? 0) < (restsUntil[best] ?? 0)) best = position;
  }
  const after = keys.length === 0 ? 0 : (best + 1) % keys.length;
  const left = after === next ? credentials : { ...credentials, next: after };
  return { key: keys[best], credentials: left };
}

/** True if a refusal concerns the credential, so that another one may succeed. */
export function isAboutKey(kind: RefusalKind): boolean {
  return kind === 'rate_limited' || kind === 'out_of_credit' || kind === 'unauthorized';
}

export function restKey(
  credentials: Credentials,
  key: string | undefined,
  kind: RefusalKind,
  retryAfterMs: number | undefined,
  now: number,
): Credentials {
  const position = key === undefined ? -1 : credentials.keys.indexOf(key);
  if (position < 0 || !isAboutKey(kind)) return credentials;
  const { restsUntil, refusedAt } = credentials;
  if (kind === 'rate_limited') {
    const restMs = Math.min(retryAfterMs ?? rateLimitRestMs, longestRateLimitRestMs);
    return { ...credentials, restsUntil: restsUntil.with(position, now + restMs) };
  }
  return {
    ...credentials,
    restsUntil: restsUntil.with(position, now + refusedRestMs),
    refusedAt: refusedAt.with(position, now),
  };
}

/** An answered call proves that its credential works, unless it was refused after the call began. */
export function acceptKey(
  credentials: Credentials,
  key: string | undefined,
  began: number,
): Credentials {
  const { keys, restsUntil, refusedAt } = credentials;
  const position = key === undefined ? -1 : keys.indexOf(key);
  const since = refusedAt[position];
  if (since === undefined || since > began) return credentials;
  return {
    ...credentials,
    restsUntil: restsUntil.with(position, 0),
    refusedAt: refusedAt.with(position, undefined),
  };
}

/**
 * Another process has found that a credential is wrong, or that it is not any more. It is used as
 * before, so that the next call shows it.
 */
export function hearOfKey(guard: Guard, position: number, isRefused: boolean): void {
  const at = isRefused ? guard.clock.ticks() : undefined;
  guard.credentials = {
    ...guard.credentials,
    refusedAt: guard.credentials.refusedAt.with(position, at),
  };
}

/** True if another credential can be used now. */
export function hasOtherKey(credentials: Credentials, key: string, now: number): boolean {
  return credentials.keys.some(
    (other, position) => other !== key && (credentials.restsUntil[position] ?? 0) <= now,
  );
}

export function restingCount({ restsUntil }: Credentials, now: number): number {
  return restsUntil.filter((until) => until > now).length;
}
