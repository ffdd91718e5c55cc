// What expires of the observations of engines.
import type { Expiring } from '../store/index.ts';
import { expiredFeedback } from './store/feedback.ts';
import { expiredDays } from './store/quality-days.ts';
import { expiredTotals } from './store/quality-totals.ts';

export const qualityExpiry: readonly Expiring[] = [expiredFeedback, expiredDays, expiredTotals];
