// The parts of quality that other modules may use.
export { type EngineAnswer, type Evidence, makeEvidence, type Panel } from './evidence.ts';
export { giveFeedback } from './give-feedback.ts';
export { makeRoutingEvidence, type RoutingEvidence } from './routing-evidence.ts';
export { readScorecard, totalQuality } from './scorecard.ts';
export { hasTotals, qualityExpiry } from './store/quality-totals.ts';
