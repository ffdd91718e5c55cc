// The pure part of upstream that other modules may use.
export {
  parseJson,
  providerError,
  type Refusal,
  refusalOf,
  type Reply,
  retryAfter,
} from './refusal.ts';
export { type Latencies, makeLatencies } from './routing.ts';
