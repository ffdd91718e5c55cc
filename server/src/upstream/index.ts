// The parts of upstream that other modules may use.
export {
  type Budget,
  type CallOutcome,
  callProvider,
  hasBetterKey,
  unreadable,
} from './call-provider.ts';
export {
  explainOrder,
  type InTurn,
  isReady,
  performInTurn,
  planInTurn,
  type PlanInTurn,
  priceIfAble,
  providersInTurn,
} from './choose-provider.ts';
export { configureProviders, type ReadyProvider, type UpstreamContext } from './context.ts';
export { type Guard, healthOf, hearOfKey, keysOf, nextKey } from './guard.ts';
export {
  badOptions,
  refuseOptions,
  sentInstead,
  strictRefusal,
  withOptions,
  yieldToOptions,
} from './native-options.ts';
export { redactorOf } from './redact.ts';
