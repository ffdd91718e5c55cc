// The pure part of policy that other modules may use.
export type { AllowsPage } from './domain-rules.ts';
export { changePolicy, combinePolicies, type RequestPolicy } from './policy.ts';
