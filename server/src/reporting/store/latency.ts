// How long the latest answers took, from the request log and the jobs.
import type { Row, Runner } from '../../store/index.ts';

interface AnswerTime {
  provider: string;
  latency_ms: number;
  /** When it was answered, in milliseconds. */
  at: number;
}

/** How many of the latest rows are looked at. */
const maxRows = 20_000;

/** Only answers that a provider gave for their price: none from the cache, and no replays. */
export async function listAnswerTimes(
  on: Runner,
  { tool, since }: { tool: 'search' | 'extract'; since: number },
  limit: number,
): Promise<AnswerTime[]> {
  const rows = await on.run(
    `select provider, latency_ms, at from (
       select tool, status, paid_by, provider, latency_ms, created_at as at, id from requests
       where created_at >= $1 order by created_at desc, id desc limit ${maxRows}) as latest
     where tool = $2 and status = 200 and paid_by = 'settle'
     order by at desc, id desc limit ${Math.trunc(limit)}`,
    [since, tool],
  );
  return rows.map(readTime);
}

export async function listJobTimes(
  on: Runner,
  since: number,
  limit: number,
): Promise<AnswerTime[]> {
  const rows = await on.run(
    `select provider, finished_at - created_at as latency_ms, finished_at as at from (
       select provider, status, created_at, finished_at from jobs
       order by created_at desc, id desc limit ${maxRows}) as latest
     where status = 'completed' and finished_at >= $1
     order by finished_at desc limit ${Math.trunc(limit)}`,
    [since],
  );
  return rows.map(readTime);
}

function readTime(row: Row): AnswerTime {
  return {
    provider: String(row['provider']),
    latency_ms: Number(row['latency_ms']),
    at: Number(row['at']),
  };
}
