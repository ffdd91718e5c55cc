// The parts of upstream that other modules may use.
export { autoOrder, explainOrder, priceIfAble } from './auto-order.ts';
export {
  type Budget,
  callProvider,
  hasBetterKey,
  unreadable,
  withOptions,
} from './call-provider.ts';
export {
  type InTurn,
  isReady,
  asksAfterEmpty,
  joinPlans,
  performInTurn,
  planSubstitutes,
  providersInTurn,
  type ReadyProvider,
} from './choose-provider.ts';
export { type ConfiguredProviders, configureProviders } from './configured-providers.ts';
export type { CallContext, PlanContext, ToolContext, UpstreamContext } from './context.ts';
export { describeProviders } from './describe-providers.ts';
export { sentInstead, yieldToOptions } from './overwritten-params.ts';
export { badOptions, providerError, refuseOptions, strictRefusal } from './errors.ts';
export { healthOf, keysOf, nextKey } from './guard.ts';
export { redactNothing, redactorOf } from './redact.ts';
