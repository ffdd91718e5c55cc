// The pure part of upstream that other modules may use.
export { type Latencies, makeLatencies } from './latencies.ts';
export { type Refusal, refusalOf, type Reply, retryAfter, secondsToWait } from './refusal.ts';
export { parseJson } from './refusal.ts';
