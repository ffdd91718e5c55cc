// Incidents in words, where they lie on an axis of time, and the page that shows what they name.
import type { Incident } from '@trivium/contract';
import { count, when } from '../format.ts';
import { withQuery } from '../shell/router.tsx';

/** “Linkup failing since Nov 16, 2026, 09:40, 143 requests, status 500”. */
export function sentenceOf(incident: Incident): string {
  const { message, started_at: start, ended_at: end, gaps, reason, requests } = incident;
  // A limit that is reached is a whole sentence.
  if (!isFollowed(incident) || start === null) return message;
  const time = end === null ? `since ${when(start)}` : `from ${when(start)} to ${when(end)}`;
  const counted = requests ? [amount(requests, unitsOf(incident))] : [];
  const breaks = gaps.length > 0 ? [interruptions(gaps.length)] : [];
  return [`${message} ${time}`, ...counted, ...(reason === null ? [] : [reason]), ...breaks].join(
    ', ',
  );
}

/** It has a start and an end. */
export function isFollowed({ kind }: Pick<Incident, 'kind'>): boolean {
  return (
    kind === 'provider_failing' || kind === 'credential_refused' || kind === 'endpoint_failing'
  );
}

const isSpeech = ({ subject }: Incident) => subject.startsWith('stt_');

/** “1 interruption”. */
export function interruptions(number: number): string {
  return amount(number, ['interruption', 'interruptions']);
}

function unitsOf(incident: Incident): readonly [one: string, many: string] {
  if (incident.kind === 'endpoint_failing') return ['delivery', 'deliveries'];
  return isSpeech(incident) ? ['job', 'jobs'] : ['request', 'requests'];
}

function amount(number: number, [one, many]: readonly [string, string]): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** The page where a person can do something about it, filtered to what the incident names. */
export function addressOf(incident: Incident): string {
  const { kind, subject, account_id } = incident;
  switch (kind) {
    case 'provider_failing':
      return account_id === null
        ? withQuery('/providers', { provider: subject })
        : requestsOf(incident);
    case 'credential_refused':
      return withQuery('/providers', { provider: subject });
    case 'key_cap':
      return withQuery('/keys', { key: subject });
    case 'endpoint_failing':
      // An address in a request belongs to no endpoint.
      return subject.startsWith('http')
        ? withQuery('/webhooks', { state: 'failed' })
        : withQuery('/webhooks', { webhook_id: subject });
    case 'job_deadline':
      return withQuery('/jobs', { job: subject });
    case 'store':
    case 'clock':
      return '/settings';
    case 'budget':
      return withQuery('/usage', { by: `tag:${subject.split('=', 1)[0]}` });
    case 'balance_low':
      return '/billing';
  }
}

/** What failed at a provider during an incident. */
export function requestsOf(incident: Incident): string {
  const { subject: provider, started_at, ended_at } = incident;
  if (isSpeech(incident)) return withQuery('/jobs', { provider, status: 'failed' });
  const range = { from: started_at ?? '', to: ended_at ?? '' };
  return withQuery('/requests', { provider, outcome: 'failed', ...range });
}

/** In milliseconds. */
export interface TimeSpan {
  from: number;
  until: number;
}

/** When it failed: without its interruptions, and until now if it has not ended. */
export function spansOf({ started_at, ended_at, gaps }: Incident, now: number): TimeSpan[] {
  if (started_at === null) return [];
  const starts = [started_at, ...gaps.map((gap) => gap.ended_at)];
  const ends = [...gaps.map((gap) => gap.started_at), ended_at ?? new Date(now).toISOString()];
  return starts.map((start, place) => ({
    from: Date.parse(start),
    until: Math.max(Date.parse(start), Date.parse(ends[place] ?? start)),
  }));
}

export function overlaps(incident: Incident, { from, until }: TimeSpan, now: number): boolean {
  return spansOf(incident, now).some((one) => one.from < until && one.until >= from);
}
