// What the checker says about gateways that share a store.
import type { Row } from '../../../../src/store/database.ts';
import type { Evidence, Line } from '../evidence.ts';
import { checkCaps, checkDeadlines, checkPolicies, checkReasons } from '../check-limits.ts';
import { checkCalls, uncoveredBy } from '../check-spending.ts';
import { isReadable } from './servers.ts';

type Rows = (text: string) => Row[];

export function checkShared(evidence: Evidence, lines: readonly Line[], rows: Rows): string[] {
  const { lostTimes, uncovered } = evidence;
  const held = lines.filter(({ reason }) => reason !== unheldReason);
  return [
    ...uncovered,
    ...checkPrepaid(evidence, lines),
    ...checkJournal(rows),
    ...(lostTimes.length > 0
      ? []
      : [
          ...checkCaps(evidence, held),
          ...checkPolicies(evidence),
          ...checkDeadlines(evidence, rows),
          ...checkReasons(evidence, rows),
        ]),
    ...checkCalls(evidence, lines),
  ];
}

/** As the ledger writes it: the gateway was taken for dead, and its money may be spent. */
const unheldReason = 'settled after its hold had ended';

/** What is free never falls below zero, except by charges whose gateway was taken for dead. */
function checkPrepaid(evidence: Evidence, lines: readonly Line[]): string[] {
  const { tenants, lowest, lostTimes } = evidence;
  if (lostTimes.length > 0) return [];
  return tenants.flatMap(({ accountId }, at) => {
    const unheld = lines
      .filter(({ accountId: id }) => id === accountId)
      .map((line) => (line.reason === unheldReason ? line.amount : -uncoveredBy(evidence, line)))
      .reduce((sum, amount) => sum + amount, 0);
    const least = lowest.get(accountId) ?? 0;
    return least < unheld ? [`account ${at} spent ${unheld - least} that it did not have`] : [];
  });
}

/** Only the rows that cannot be read are marked as such. */
function checkJournal(rows: Rows): string[] {
  return rows(`select id, trouble from deferred where trouble is not null and ${isReadable}`).map(
    ({ id, trouble }) => `${String(id)} was marked, and can be booked: ${String(trouble)}`,
  );
}

/** What the audit says about a row that no version can read. */
export function isFaultyRow(words: string): boolean {
  return words.startsWith('Deferred tasks can be booked: task post: a batch in the journal cannot');
}
