// What other modules may use of quality.
export { giveFeedback } from './give-feedback.ts';
export { deleteOldFeedback } from './store/feedback.ts';
export { deleteOldQualityDays } from './store/quality-days.ts';
