// The parts of quality that other modules may use.
export { type EngineAnswer, type Evidence, makeEvidence, type Panel } from './evidence.ts';
export { makeRoutingEvidence, type RoutingEvidence } from './routing-evidence.ts';
export { readScorecard } from './read-scorecard.ts';
export { giveFeedback } from './give-feedback.ts';
export { hasTotals } from './store/quality-totals.ts';
export { qualityExpiry } from './expiry.ts';
export { totalQuality } from './total-quality.ts';
