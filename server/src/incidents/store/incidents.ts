// The tables of incidents, and of what people have noted about them.
import type { FollowedKind } from '@trivium/contract';
import { dayMs } from '@trivium/contract/durations';
import {
  type Expiring,
  expiring,
  facts,
  type Filter,
  flag,
  is,
  json,
  type ListPage,
  mapOfIds,
  orNull,
  query,
  reader,
  type Runner,
  scanPage,
  table,
  text,
  textOf,
  timeFilters,
  whole,
} from '../../store/index.ts';
import type { StoredIncident } from '../core/follow.ts';

const isGaps = is.listOf(is.listOf(is.number)) as (
  value: unknown,
) => value is StoredIncident['gaps'];

const incidents = table(
  'incidents',
  {
    id: text,
    /** Empty for the whole gateway. */
    account_id: text,
    kind: textOf<FollowedKind>(),
    subject: text,
    name: orNull(text),
    created_at: whole,
    /** The latest failure. */
    last_at: whole,
    ended_at: orNull(whole),
    requests: whole,
    cost: whole,
    reason: text,
    gaps: json(isGaps),
    changed_at: whole,
  },
  'incident',
);

export type IncidentRow = ReturnType<typeof incidents.read>;

export const insertIncidents = incidents.insert({ end: 'on conflict (id) do nothing' });
export const updateIncidents = incidents
  .omit('account_id', 'kind', 'subject', 'created_at')
  .update('id');
export const findIncident = incidents.by('id');

/** Until the end of the transaction no other gateway changes incidents. */
export async function lockIncidents(on: Runner): Promise<void> {
  await facts.insert(on, 'incidents', '');
  await facts.find(on, 'incidents', on.lock('for update'));
}

/** The incidents of a subject in any account that are open or ended since then, open ones last. */
export function listLatest(
  on: Runner,
  { kind, subject, since }: { kind: string; subject: string; since: number },
): Promise<IncidentRow[]> {
  return incidents.list(
    on,
    `where kind = $1 and subject = $2 and (ended_at is null or ended_at >= $3)
     order by ended_at is null, created_at, id`,
    [kind, subject, since],
  );
}

const readOpen = reader({ account_id: text, kind: textOf<FollowedKind>(), subject: text });

/** As many as a process follows. */
export function listOpen(on: Runner, limit: number): Promise<ReturnType<typeof readOpen>[]> {
  return query.rows(
    on,
    readOpen,
    `select account_id, kind, subject from incidents where ended_at is null
     order by last_at desc limit $1`,
    [limit],
  );
}

interface IncidentFilter {
  account_id?: string | undefined;
  /** Also those of the whole gateway. */
  isOperator: boolean;
  state?: 'open' | 'ended' | undefined;
  from?: number | undefined;
  before?: number | undefined;
}

/** Newest first. */
export function listIncidents(
  on: Runner,
  { account_id, isOperator, state, from, before, ...page }: IncidentFilter & ListPage,
) {
  const others: Filter[] = [
    isOperator
      ? forOperators(account_id)
      : { text: 'account_id = ?', values: [account_id || null] },
    ...(state ? [{ text: `ended_at is ${state === 'open' ? '' : 'not '}null`, values: [] }] : []),
    { text: '(ended_at is null or ended_at >= ?)', values: [from] },
  ];
  return scanPage(on, { ...incidents, indexed: timeFilters({ before }), others }, page);
}

/** An incident of a provider in one account is not repeated if the whole gateway has it. */
function forOperators(account: string | undefined): Filter {
  const repeated = `exists (select 1 from incidents as all_of
    where all_of.account_id = '' and all_of.kind = incidents.kind
      and all_of.subject = incidents.subject
      and all_of.created_at <= coalesce(incidents.ended_at, incidents.last_at)
      and coalesce(all_of.ended_at, incidents.created_at) >= incidents.created_at)`;
  const own = account === undefined ? 'true' : 'account_id = ?';
  const text = `(account_id = '' or (${own} and not ${repeated}))`;
  return { text, values: account === undefined ? [] : [account] };
}

/** When an incident that the reader may see changed last. */
export function findLastChange(on: Runner, account: string, isOperator: boolean): Promise<number> {
  return query.number(
    on,
    `select max(changed_at) from (
       select max(changed_at) as changed_at from incidents where account_id = $1
       union all select max(changed_at) from incidents where account_id = $2) as changes`,
    [account, isOperator ? '' : account],
  );
}

const markColumns = {
  id: text,
  muted: flag,
  /** The incident was severe when it was muted. */
  severe: flag,
  note: orNull(text),
  changed_by: orNull(text),
  changed_at: whole,
};
const marks = table('incident_marks', markColumns);

export type Mark = Omit<ReturnType<typeof marks.read>, 'id'>;

const { id: _id, ...marked } = markColumns;
export const findMarks = mapOfIds(
  marked,
  (places) => `select ${marks.columns} from incident_marks where id in (${places})`,
);

export const putMarks = marks.insert({
  end: `on conflict (id) do update set muted = excluded.muted, severe = excluded.severe,
    note = excluded.note, changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
});

/** Longer than the longest range of the overview. */
const keptDays = 100;

export const incidentExpiry: readonly Expiring[] = [
  expiring({ keptMs: keptDays * dayMs, table: 'incidents', key: 'id', since: 'changed_at' }),
  expiring({
    keptMs: ({ audit_log_days }) => audit_log_days * dayMs,
    table: 'incident_marks',
    key: 'id',
    since: 'changed_at',
  }),
];
