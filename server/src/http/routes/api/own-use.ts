// GET /v1/balance, GET /v1/usage and GET /v1/jobs: what the caller's account, or only its key, has
// used.
import { OwnJobQuery, OwnUsageQuery } from '@trivium/contract';
import type { JobSummary, StoredUse } from '@trivium/contract';
import { type Caller, totalOf } from '../../../requests/index.ts';
import { readOwnUsage } from '../../../reporting/index.ts';
import { readOwnJobs } from '../../../transcription/index.ts';
import type { HttpContext } from '../../context.ts';
import { csvOf, usageCsv, varies } from '../../csv.ts';
import { validate } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import { readBalance } from '../../../billing/index.ts';
import { callerRoute } from '../rows.ts';

async function readStoredUse({ stored }: HttpContext, caller: Caller): Promise<StoredUse> {
  const sums = await stored.read(caller.account_id);
  return { bytes: totalOf(sums), max_bytes: stored.maxBytes(caller), ...sums };
}

export function ownUseRoutes(context: HttpContext): Route[] {
  const report = { report: true, booked: true } as const;
  return [
    callerRoute('GET', '/v1/usage', report, async ({ request, query, caller }) => {
      const wanted = validate(OwnUsageQuery, query);
      const usage = await readOwnUsage(context, caller, wanted);
      if (wanted.format === 'csv' || (!wanted.format && wantsCsv(request))) {
        return await usageCsv(context, usage);
      }
      const stored = await readStoredUse(context, caller);
      return Response.json({ ...usage, stored }, { headers: varies });
    }),
    callerRoute('GET', '/v1/jobs', report, async ({ request, query, caller }) => {
      const page = await readOwnJobs(context, caller, validate(OwnJobQuery, query));
      if (!wantsCsv(request)) return Response.json(page, { headers: varies });
      const { jobs, next_cursor } = page;
      const cursor = next_cursor === null ? {} : { 'x-next-cursor': next_cursor };
      return csvOf([jobColumns, ...jobs.map(jobCells)], cursor);
    }),
  ];
}

const served = ['text/csv', 'application/json', '*/*'];

/** CSV is returned only to a client that prefers it. */
function wantsCsv({ headers }: Request): boolean {
  const accepted = (headers.get('accept') ?? '').split(',').map(readAccepted);
  const known = accepted.filter(({ type, quality }) => quality > 0 && served.includes(type));
  return known.toSorted((one, other) => other.quality - one.quality)[0]?.type === 'text/csv';
}

function readAccepted(range: string): { type: string; quality: number } {
  const [type = '', ...params] = range.split(';').map((part) => part.trim());
  const quality = params.find((param) => /^q\s*=/.test(param))?.replace(/^q\s*=/, '');
  return { type, quality: quality === undefined ? 1 : Number(quality) };
}

const jobColumns = [
  ...['id', 'status', 'provider', 'model', 'attempt_status', 'error_type', 'cost_usd'],
  ...['created_at', 'updated_at', 'finished_at'],
] as const;

function jobCells(job: JobSummary): (string | number | null)[] {
  const cells = { ...job, error_type: job.error?.type ?? null };
  return jobColumns.map((name) => cells[name]);
}

export function accountRoutes(context: HttpContext): Route[] {
  return [
    callerRoute('GET', '/v1/balance', { booked: true }, ({ caller }) =>
      readBalance(context, caller),
    ),
  ];
}
