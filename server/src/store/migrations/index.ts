// The numbered migrations, in order. Never edit a released one; add a new number instead.
import accountsAndKeys from './0001-accounts-and-keys.sql' with { type: 'text' };
import money from './0002-money.sql' with { type: 'text' };
import jobs from './0003-jobs.sql' with { type: 'text' };
import people from './0005-people.sql' with { type: 'text' };
import keyMinutes from './0006-key-minutes.sql' with { type: 'text' };
import jobSteps from './0007-job-steps.sql' with { type: 'text' };
import jobCredential from './0008-job-credential.sql' with { type: 'text' };
import keyUses from './0009-key-uses.sql' with { type: 'text' };
import leanMoney from './0010-lean-money.sql' with { type: 'text' };
import deferred from './0011-deferred.sql' with { type: 'text' };
import checkedAmounts from './0012-checked-amounts.sql' with { type: 'text' };
import auditFacts from './0013-audit-facts.sql' with { type: 'text' };
import readCallbacks from './0014-read-callbacks.sql' with { type: 'text' };
import bootstrapKeys from './0015-bootstrap-keys.sql' with { type: 'text' };
import dropUsageHours from './0016-drop-usage-hours.sql' with { type: 'text' };
import storeFacts from './0017-store-facts.sql' with { type: 'text' };
import allowances from './0018-allowances.sql' with { type: 'text' };
import events from './0019-events.sql' with { type: 'text' };
import requestDetails from './0020-request-details.sql' with { type: 'text' };
import policies from './0021-policies.sql' with { type: 'text' };
import auditLog from './0022-audit-log.sql' with { type: 'text' };
import cache from './0023-cache.sql' with { type: 'text' };
import uploads from './0024-uploads.sql' with { type: 'text' };
import oauth from './0025-oauth.sql' with { type: 'text' };
import tagBudgets from './0026-tag-budgets.sql' with { type: 'text' };
import peopleAndRotation from './0029-people-and-rotation.sql' with { type: 'text' };
import tagsByDay from './0030-tags-by-day.sql' with { type: 'text' };
import exposure from './0031-exposure.sql' with { type: 'text' };
import listIndexes from './0033-list-indexes.sql' with { type: 'text' };
import idempotencySenders from './0035-idempotency-senders.sql' with { type: 'text' };
import rawDocuments from './0042-raw-documents.sql' with { type: 'text' };
import servedBy from './0041-served-by.sql' with { type: 'text' };
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
import storedBytes from './0039-stored-bytes.sql' with { type: 'text' };
import { partitionLog } from './0044-partitioned-log.ts';
import type { MigrationPart } from './migration-steps.ts';

export interface Migration {
  version: number;
  text: string;
  /** What only PostgreSQL needs, applied after the text. `isNew` means a store without rows. */
  postgres?: (now: Date, isNew: boolean) => MigrationPart[];
}

export const migrations: readonly Migration[] = [
  { version: 1, text: accountsAndKeys },
  { version: 2, text: money },
  { version: 3, text: jobs },
  { version: 5, text: people },
  { version: 6, text: keyMinutes },
  { version: 7, text: jobSteps },
  { version: 8, text: jobCredential },
  { version: 9, text: keyUses },
  { version: 10, text: leanMoney },
  { version: 11, text: deferred },
  { version: 12, text: checkedAmounts },
  { version: 13, text: auditFacts },
  { version: 14, text: readCallbacks },
  { version: 15, text: bootstrapKeys },
  { version: 16, text: dropUsageHours },
  { version: 17, text: storeFacts },
  { version: 18, text: allowances },
  { version: 19, text: events },
  { version: 20, text: requestDetails },
  { version: 21, text: policies },
  { version: 22, text: auditLog },
  { version: 23, text: cache },
  { version: 24, text: uploads },
  { version: 25, text: oauth },
  { version: 26, text: tagBudgets },
  { version: 29, text: peopleAndRotation },
  { version: 30, text: tagsByDay },
  { version: 31, text: exposure },
  { version: 33, text: listIndexes },
  { version: 35, text: idempotencySenders },
  { version: 39, text: storedBytes },
  { version: 41, text: servedBy },
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
];
