// Incidents in words, as addresses and on an axis of time.
import { expect, test } from 'bun:test';
import type { Incident } from '@trivium/contract';
import { placeOf } from '../components/plot.tsx';
import { chooseZone } from '../zone.ts';
import { addressOf, overlaps, sentenceOf, spansOf } from './incident-words.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 10, 16, hour, 40)).toISOString();
const now = Date.parse(at(20));
const incident: Incident = {
  ...{ id: 'inc_1', kind: 'provider_failing', severe: true, account_id: 'acct_1' },
  ...{ subject: 'engine_g', message: 'Linkup failing', reason: 'status 500' },
  ...{ started_at: at(9), ended_at: null, gaps: [], requests: 143, cost_usd: 0 },
  ...{ muted: false, note: null, changed_by: null, changed_at: null },
};

test('an incident is one sentence', () => {
  chooseZone('UTC');
  const open = 'Linkup failing since Nov 16, 2026, 09:40, 143 requests, status 500';
  expect(sentenceOf(incident)).toBe(open);
  const gaps = [{ started_at: at(10), ended_at: at(11) }];
  const ended = { ...incident, ended_at: at(12), requests: 1, reason: null, gaps };
  expect(sentenceOf(ended)).toBe(
    'Linkup failing from Nov 16, 2026, 09:40 to Nov 16, 2026, 12:40, 1 request, 1 interruption',
  );
  const hook = { ...incident, kind: 'endpoint_failing' as const, message: 'Deliveries failing' };
  expect(sentenceOf(hook)).toContain('143 deliveries');
  expect(sentenceOf({ ...incident, subject: 'stt_b', requests: 1 })).toContain(', 1 job,');
  const limit = { ...incident, kind: 'key_cap' as const, message: 'The key has used 80 %.' };
  expect(sentenceOf(limit)).toBe('The key has used 80 %.');
});

test('each incident leads to what it names', () => {
  const range = 'from=2026-11-16T09%3A40%3A00.000Z';
  expect(addressOf(incident)).toBe(`/requests?provider=engine_g&outcome=failed&${range}`);
  expect(addressOf({ ...incident, ended_at: at(12) })).toContain('to=2026-11-16T12');
  expect(addressOf({ ...incident, subject: 'stt_b' })).toBe('/jobs?provider=stt_b&status=failed');
  expect(addressOf({ ...incident, account_id: null })).toBe('/providers?provider=engine_g');
  const of = (kind: Incident['kind'], subject: string) => addressOf({ ...incident, kind, subject });
  expect(of('credential_refused', 'engine_a')).toBe('/providers?provider=engine_a');
  expect(of('endpoint_failing', 'wh_1')).toBe('/webhooks?webhook_id=wh_1');
  expect(of('endpoint_failing', 'https://a.example')).toBe('/webhooks?state=failed');
  expect(of('key_cap', 'key_1')).toBe('/keys?key=key_1');
  expect(of('budget', 'team=a')).toBe('/usage?by=tag%3Ateam');
  expect(of('job_deadline', 'job_1')).toBe('/jobs?job=job_1');
  expect(of('balance_low', 'acct_1')).toBe('/billing');
  expect(of('clock', 'clock')).toBe('/settings');
});

test('an incident is marked without its interruptions, until its end or until now', () => {
  const gaps = [{ started_at: at(10), ended_at: at(11) }];
  const hours = (from: number, until: number) => ({
    from: Date.parse(at(from)),
    until: Date.parse(at(until)),
  });
  expect(spansOf({ ...incident, gaps }, now)).toEqual([hours(9, 10), hours(11, 20)]);
  expect(spansOf({ ...incident, gaps, ended_at: at(12) }, now)).toEqual([
    hours(9, 10),
    hours(11, 12),
  ]);
  expect(spansOf({ ...incident, started_at: null }, now)).toEqual([]);
  expect(overlaps({ ...incident, ended_at: at(12) }, hours(12, 13), now)).toBe(true);
  expect(overlaps({ ...incident, ended_at: at(12) }, hours(13, 14), now)).toBe(false);
  expect(overlaps(incident, hours(8, 9), now)).toBe(false);
});

test('every interval of an axis is equally wide, however long it is', () => {
  const points = [
    { at: at(0), until: at(1) },
    { at: at(1), until: at(9) },
  ];
  const place = (hour: number) => placeOf(Date.parse(at(hour)), points);
  expect([-5, 0, 1, 5, 9, 30].map(place)).toEqual([0, 0, 0.5, 0.75, 1, 1]);
});
