// Lists incidents for the people whom they concern, mutes them and notes something about them.
import {
  conflict,
  GatewayError,
  type Incident,
  type IncidentChange,
  type IncidentList,
  type IncidentQuery,
  providerIds,
  providerNames,
} from '@trivium/contract';
import { audit, type Author } from '../audit/index.ts';
import { usd } from '../billing/core/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, iso, readDateRange, type Runner } from '../store/index.ts';
import type { Condition } from './core/conditions.ts';
import { incidentId } from './follow.ts';
import {
  findIncident,
  findMarks,
  findLastChange,
  type IncidentRow,
  listIncidents,
  type Mark,
  putMarks,
} from './store/incidents.ts';

interface Reading {
  database: Database;
  clock: Clock;
}

/** Whose incidents: those of an account, and for an operator those of the whole gateway. */
interface Reader {
  account_id?: string | undefined;
  isOperator: boolean;
  /** The limits that are reached now. */
  conditions: () => Promise<readonly Condition[]>;
}

export async function readIncidents(
  { database: { reader } }: Pick<Reading, 'database'>,
  { state, from, to, cursor, limit }: Omit<IncidentQuery, 'account_id'>,
  by: Reader,
): Promise<IncidentList> {
  const range = readDateRange({ from, to });
  const found = await listIncidents(reader, { ...by, ...range, state, cursor, limit });
  const isNow = cursor === undefined && state !== 'ended' && to === undefined;
  const conditions = isNow ? await by.conditions() : [];
  const all = [...conditions.map((one) => showCondition(one, by)), ...found.rows.map(showIncident)];
  return { incidents: await withMarks(reader, all), ...found.end };
}

/** A number that changes with the incidents of the reader. */
export function readIncidentVersion(on: Runner, account: string, isOperator: boolean) {
  return findLastChange(on, account, isOperator);
}

export async function changeIncident(
  { database, clock }: Reading,
  by: Author,
  id: string,
  { muted, note }: IncidentChange,
  whose: Reader,
): Promise<Incident> {
  const now = clock.now().getTime();
  const found = await find(database.reader, id, whose);
  if (!found) throw new GatewayError('not_found', `There is no incident ${id}.`);
  if (found.started_at === null) {
    throw conflict('It is not known when this began, so it cannot be muted or noted. Repair it.');
  }
  return database.transaction(async (tx) => {
    const before = (await findMarks(tx, [id])).get(id);
    const after: Mark = {
      muted: muted ?? before?.muted ?? false,
      severe: muted === undefined ? (before?.severe ?? false) : found.severe,
      note: note === undefined ? (before?.note ?? null) : note || null,
      changed_by: by.name ?? by.kind.replaceAll('_', ' '),
      changed_at: now,
    };
    await putMarks(tx, [{ id, ...after }]);
    const { account_id, message } = found;
    const shown = (mark: Mark | undefined) => ({
      muted: mark?.muted ?? false,
      note: mark?.note ?? null,
    });
    const change = { action: 'incident.changed', account_id, target: id } as const;
    await audit(
      tx,
      by,
      { ...change, before: { message, ...shown(before) }, after: { message, ...shown(after) } },
      now,
    );
    return { ...found, ...markedBy(found, after) };
  });
}

/** Undefined if the reader may not see it. */
async function find(on: Runner, id: string, by: Reader): Promise<Incident | undefined> {
  const row = await findIncident(on, id);
  if (row) return by.isOperator || row.account_id === by.account_id ? showIncident(row) : undefined;
  const conditions = (await by.conditions()).map((one) => showCondition(one, by));
  return conditions.find((one) => one.id === id);
}

async function withMarks(on: Runner, found: readonly Incident[]): Promise<Incident[]> {
  if (found.length === 0) return [];
  const marks = await findMarks(
    on,
    found.map(({ id }) => id),
  );
  return found.map((one) => {
    const mark = marks.get(one.id);
    return mark ? { ...one, ...markedBy(one, mark) } : one;
  });
}

/** What has become severe since it was muted is shown again. */
function markedBy({ severe }: Incident, mark: Mark) {
  const { muted, note, changed_by, changed_at } = mark;
  return {
    muted: muted && (mark.severe || !severe),
    note,
    changed_by,
    changed_at: iso(changed_at),
  };
}

const unmarked = { muted: false, note: null, changed_by: null, changed_at: null };
const gatewayKinds: readonly string[] = ['store', 'clock'];

function showCondition(condition: Condition, { account_id }: Reader): Incident {
  const { kind, subject, started_at } = condition;
  const owner = gatewayKinds.includes(kind) ? null : (account_id ?? null);
  const id = incidentId({ kind, subject, account_id: owner ?? '' }, started_at ?? '');
  const open = { reason: null, ended_at: null, gaps: [], requests: null };
  return { ...condition, id, account_id: owner, ...open, ...unmarked };
}

function showIncident(row: IncidentRow): Incident {
  const isCounted = row.kind !== 'credential_refused';
  return {
    id: row.id,
    kind: row.kind,
    severe: row.kind === 'provider_failing',
    account_id: row.account_id === '' ? null : row.account_id,
    ...describe(row),
    reason: row.reason,
    started_at: iso(row.created_at),
    ended_at: iso(row.ended_at),
    gaps: row.gaps.map(([from, until]) => ({ started_at: iso(from), ended_at: iso(until) })),
    requests: isCounted ? row.requests : null,
    cost_usd: isCounted ? usd(row.cost) : null,
    ...unmarked,
  };
}

function describe({ kind, subject, name }: IncidentRow): Pick<Incident, 'subject' | 'message'> {
  const [id = '', position = ''] = subject.split(':');
  const provider = providerIds.find((known) => known === id);
  const called = provider ? providerNames[provider] : id;
  switch (kind) {
    case 'provider_failing':
      return { subject, message: `${called} failing` };
    case 'credential_refused':
      return { subject: id, message: `Credential ${position} of ${called} refused` };
    case 'endpoint_failing':
      return { subject, message: `Deliveries to ${name ?? subject} failing` };
  }
}
