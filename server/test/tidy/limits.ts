// Every limit in SQL, and what happens to the rows beyond it: nothing is left out silently.
import { isTest, placeOf, type SourceFile } from './source.ts';

const src = 'server/src/';
const limited = /\blimit (\$\{[^}]*\}|\$\d|\d+)/g;

/** By file and limit. The reason says where the other rows go. */
const reasons: Readonly<Record<string, string>> = {
  'accounts/store/find.ts ${maxFound}': 'documented: at most 10 of each kind',
  'accounts/store/keys.ts $2': 'an account cannot have more keys',
  'accounts/store/oauth.ts $2': 'older used tokens are deleted',
  'accounts/store/people.ts $1': 'more people than a gateway may have',
  'accounts/store/people.ts $2': 'no more invitations can be open',
  'accounts/store/people.ts $3': 'the newest sessions of a person',
  'accounts/store/sign-in.ts ${Math.trunc(limit)}': 'pages of the sign-in library',
  'audit/store/audit-log.ts $4': 'counts up to the number that refuses the change',
  'billing/store/allowances.ts 1': 'whether there is one',
  'billing/store/audit-checks.ts ${maxBreaches + 1}': 'the report says that there are more',
  'billing/store/budgets.ts $2': 'steps that are repeated until nothing is left',
  'billing/store/budgets.ts ${maxNear}': 'pages, read until one is empty',
  'billing/store/journal.ts ${maxDeferred + 1}': 'the audit says that there may be more',
  'billing/store/journal.ts 1': 'whether there is one',
  'billing/store/journal.ts ${limit}': 'steps that are repeated until nothing is left',
  'billing/store/ledger.ts $1': 'steps that are repeated until nothing is left',
  'billing/store/ledger.ts $2': 'steps that are repeated until nothing is left',
  'billing/store/ledger.ts ${maxLines}': 'older lines state no balance',
  'events/store/deliveries.ts ${max}': 'a metric whose documentation states the limit',
  'events/store/delivery-leases.ts $5': 'the rest is claimed in the next round',
  'events/store/delivery-leases.ts ${candidates}': 'the rest is claimed in the next round',
  'incidents/store/incidents.ts $1': 'ended by a success in the process where they failed',
  'quality/store/quality-totals.ts 1': 'whether there is one',
  'quality/store/quality-totals.ts ${maxClassDays}': 'evidence of the newest days decides',
  'quality/store/quality-totals.ts ${maxGroups}': 'documented: the groups with the most searches',
  'requests/store/requests.ts ${maxKinds}': 'documented: the most frequent kinds',
  'requests/store/requests.ts ${maxLooked}': 'the answer says how far it looked',
  'requests/store/idempotency.ts $3': 'steps that are repeated until nothing is left',
  'requests/store/requests.ts $2': 'steps that are repeated until nothing is left',
  'requests/store/samples.ts $2': 'the answer states how many requests the average is of',
  'requests/store/samples.ts ${Math.trunc(limit)}': 'a sample of the newest requests',
  'requests/store/samples.ts ${Math.trunc(by.keys)}': 'other keys are added up as one',
  'requests/store/samples.ts ${each}': 'a sample of each interval',
  'requests/store/samples.ts ${max + 1}':
    'above it, days of UTC are reported, or the report is refused',
  'requests/store/samples.ts ${maxLatest}': 'a sample of the newest requests',
  'requests/store/usage-sums.ts ${maxGroups + 1}': 'above it, the report is refused',
  'requests/store/usage-sums.ts ${maxSums + 1}': 'above it, the report is refused',
  'store/postgres/partitions.ts 1': 'whether there is one',
  'store/expiring.ts $2': 'steps that are repeated until nothing is left',
  'store/expiring.ts $1': 'steps that are repeated until nothing is left',
  'store/table.ts $2': 'steps that are repeated until nothing is left',
  'store/paging.ts 1': 'the end of one part of a page',
  'store/paging.ts ${Math.trunc(limit)}': 'a page with a cursor',
  'store/migrations/tables.ts ${pageRows}': 'pages, read until one is empty',
  'transcription/store/callbacks.ts ${maxUnread}': 'pages, read until one is empty',
  'transcription/store/job-reports.ts ${max}': 'a metric whose documentation states the limit',
  'transcription/store/job-reports.ts ${Math.trunc(limit)}': 'a sample of the newest jobs',
  'transcription/store/job-reports.ts ${maxLatest}': 'a sample of the newest jobs',
  'transcription/store/job-reports.ts ${pageOfJobs}': 'only whether a page of jobs has changed',
  'transcription/store/leases.ts $4': 'the rest is claimed in the next round',
  'uploads/store/uploads.ts $2': 'steps that are repeated until nothing is left',
  'uploads/store/uploads.ts $3': 'pages, read until one is empty',
};

/** Lists limits without a reason, and reasons without a limit. */
export function checkLimits(files: SourceFile[]): string[] {
  const found = new Set<string>();
  const faults = files.flatMap((file) => {
    if (!file.path.startsWith(src) || isTest(file.path)) return [];
    return [...file.text.matchAll(limited)].flatMap(({ index, 1: limit }) => {
      const key = `${file.path.slice(src.length)} ${limit}`;
      found.add(key);
      if (Object.hasOwn(reasons, key)) return [];
      return [`${placeOf(file, index)}: say in tidy/limits.ts where rows beyond ${limit} go.`];
    });
  });
  const unused = Object.keys(reasons).filter((key) => !found.has(key));
  return [...faults, ...unused.map((key) => `tidy/limits.ts: ${key} is no limit any more.`)];
}
