// The schema of version 0.2.0, and the numbered migrations since then, in order. Never edit a released
// one; add a new number instead.
import base from './0041-base.sql' with { type: 'text' };
import rawDocuments from './0042-raw-documents.sql' with { type: 'text' };
import refusals from './0043-refusals.sql' with { type: 'text' };
import requestParameters from './0050-request-parameters.sql' with { type: 'text' };
import budgetAlerts from './0051-budget-alerts.sql' with { type: 'text' };
import feedback from './0052-feedback.sql' with { type: 'text' };
import qualityDays from './0053-quality-days.sql' with { type: 'text' };
import loggedAnswers from './0056-logged-answers.sql' with { type: 'text' };
import deliveryAttempts from './0057-delivery-attempts.sql' with { type: 'text' };
import providerHours from './0058-provider-hours.sql' with { type: 'text' };
import qualityTotals from './0059-quality-totals.sql' with { type: 'text' };
import answersByAccount from './0060-answers-by-account.sql' with { type: 'text' };
import incidents from './0063-incidents.sql' with { type: 'text' };
import viewsAndNotes from './0064-views-and-notes.sql' with { type: 'text' };
import recordings from './0065-recordings.sql' with { type: 'text' };
import { partitionLog } from './0044-partitioned-log.ts';
import { compressJournal } from './0061-journal-compression.ts';
import type { MigrationPart } from './migration-steps.ts';

export interface Migration {
  version: number;
  text: string;
  /** What only PostgreSQL needs, applied after the text. `isNew` means a store without rows. */
  postgres?: (now: Date, isNew: boolean) => MigrationPart[];
}

export const migrations: readonly Migration[] = [
  { version: 41, text: base },
  { version: 42, text: rawDocuments },
  { version: 43, text: refusals },
  { version: 44, text: '', postgres: partitionLog },
  { version: 50, text: requestParameters },
  { version: 51, text: budgetAlerts },
  { version: 52, text: feedback },
  { version: 53, text: qualityDays },
  { version: 56, text: loggedAnswers },
  { version: 57, text: deliveryAttempts },
  { version: 58, text: providerHours },
  { version: 59, text: qualityTotals },
  { version: 60, text: answersByAccount },
  { version: 61, text: '', postgres: compressJournal },
  { version: 63, text: incidents },
  { version: 64, text: viewsAndNotes },
  { version: 65, text: recordings },
];
