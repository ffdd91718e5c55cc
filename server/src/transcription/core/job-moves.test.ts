// Every move a job can make: all events in all reachable states, and the waits of a rate limit.
import { describe, test } from 'bun:test';
import { expect, proves } from '../../../../e2e/proves.ts';
import { accepted, at, claimedJob, failure, fresh } from '../../../test/claimed-job.ts';
import { type JobEvent, type JobState, reduce } from './job.ts';

describe('every event in every reachable state', () => {
  const refused = { kind: 'refused', reason: 'busy', retry_after_ms: 500 } as const;
  const outcomes = [accepted, refused, { kind: 'unknown', reason: 'cut' }] as const;
  const eventsOf = (attempt: number): JobEvent[] => [
    { kind: 'taken' },
    { kind: 'deadline' },
    ...outcomes.map((outcome): JobEvent => ({ ...outcome, attempt })),
    { kind: 'found', attempt, provider_job_id: 'p1' },
    { kind: 'found', attempt, provider_job_id: null, transcribed: true },
    { kind: 'nothing', attempt },
    { kind: 'running', attempt },
    { kind: 'trouble', attempt, reason: 'cut' },
    { kind: 'hint', attempt },
    { kind: 'done', attempt },
    { kind: 'failed', attempt, failure },
  ];

  test('moves the status only as documented', () => {
    const seen = new Map<string, JobState>([[JSON.stringify(fresh), fresh]]);
    const moves = new Set<string>();
    for (const job of seen.values()) {
      for (const now of [1000, fresh.deadline_at]) {
        const events = [...eventsOf(1), ...eventsOf(2), ...eventsOf(3)];
        const reduced = events.map((event) => reduce(job, event, at(now))?.job);
        for (const next of [claimedJob(job), ...reduced]) {
          if (next === undefined) continue;
          if (next.status !== job.status) moves.add(`${job.status} to ${next.status}`);
          // Two attempts and a few tries reach every combination of states.
          if (next.attempt <= 2 && next.tries <= 2) seen.set(JSON.stringify(next), next);
        }
      }
    }
    proves('job-states.no-other-move', () =>
      expect([...moves].toSorted()).toEqual([
        'queued to running',
        'running to completed',
        'running to failed',
      ]),
    );
    expect(new Set([...seen.values()].map(({ attempt_status }) => attempt_status)).size).toBe(6);
  });
});

describe('a rate-limited attempt', () => {
  /** The waits between refusals that come one after the other, up to the deadline. */
  function waits(random: number, retryAfterMs?: number): number[] {
    const outcome = {
      kind: 'refused',
      reason: 'busy',
      ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
    } as const;
    const found: number[] = [];
    let job: JobState = { ...fresh, deadline_at: 600_000 };
    for (let now = 0; now < job.deadline_at; now = job.run_at) {
      const moment = { ...at(now), random };
      job = claimedJob(job);
      for (const event of [{ kind: 'taken' }, { ...outcome, attempt: job.attempt }] as const) {
        job = reduce(job, event, moment)?.job ?? job;
      }
      expect([job.status, job.attempt_status]).toEqual(['running', 'queued']);
      found.push(job.run_at - now);
    }
    const over = reduce(job, { kind: 'deadline' }, at(job.run_at));
    expect(over?.job).toMatchObject({ status: 'failed', failure: { type: 'deadline_exceeded' } });
    return found;
  }

  test('waits twice as long each time, up to a minute, with up to a quarter of jitter', () => {
    proves('jobs.rate-limited', () => {
      const doubling = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000];
      expect(waits(0).slice(0, 8)).toEqual(doubling);
      expect(waits(1).slice(0, 8)).toEqual(doubling.map((ms) => ms * 1.25));
    });
  });

  test('waits at least as long as Retry-After, and never past the deadline', () => {
    proves('jobs.rate-limited', () => {
      const long = waits(0, 45_000);
      expect(long.slice(0, 6).every((ms) => ms === 45_000)).toBe(true);
      for (const all of [long, waits(0.5), waits(0, 500_000)]) {
        expect(all.reduce((sum, ms) => sum + ms, 0)).toBe(600_000);
      }
    });
  });
});
