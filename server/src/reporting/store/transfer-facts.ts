// What the lines of a ledger page were for, and the balance after each.
import { idStatement, type Row, type Runner } from '../../store/index.ts';

export interface Purpose {
  tool: string;
  provider: string | null;
  /** Null when it is not kept. */
  asked: string | null;
}

const purposesStatement = idStatement(
  (places) => `select id, tool, provider, asked from requests where id in (${places})`,
);

const jobPurposesStatement = idStatement(
  (places) => `select jobs.id as id, tool, requests.provider as provider, asked
     from jobs join requests on requests.id = jobs.request_id where jobs.id in (${places})`,
);

const jobPrefix = 'job:';

/** By hold: the request, or the job and the request that began it. */
export async function findPurposes(
  on: Runner,
  holds: readonly string[],
): Promise<Map<string, Purpose>> {
  const jobs = holds.filter((id) => id.startsWith(jobPrefix));
  const requests = holds.filter((id) => !id.startsWith(jobPrefix));
  const jobIds = jobs.map((id) => id.slice(jobPrefix.length));
  const found = requests.length === 0 ? [] : await on.run(...purposesStatement(requests));
  const ofJobs = jobIds.length === 0 ? [] : await on.run(...jobPurposesStatement(jobIds));
  return new Map([
    ...found.map((row) => [String(row['id']), readPurpose(row)] as const),
    ...ofJobs.map((row) => [jobPrefix + String(row['id']), readPurpose(row)] as const),
  ]);
}

/** Newer lines than these are not added up; older lines then have no balance. */
const maxLines = 20_000;

const balancesStatement = idStatement(
  (places) => `select id, newer, (select posted from accounts where id = $1) as posted from (
       select id, coalesce(sum(amount) over (order by created_at desc, id desc
         rows between unbounded preceding and 1 preceding), 0) as newer
       from (select id, created_at, amount from transfers
         where account_id = $1 and created_at >= $2
         order by created_at desc, id desc limit ${maxLines}) as latest) as summed
     where id in (${places})`,
);

/** The balance of the account after each line, in micro-USD: what is posted, less what is newer. */
export async function findBalances(
  on: Runner,
  account: { id: string; oldest_at: number },
  lines: readonly string[],
): Promise<Map<string, number>> {
  if (lines.length === 0) return new Map();
  const rows = await on.run(...balancesStatement(lines, account.id, account.oldest_at));
  return new Map(
    rows.map((row) => [String(row['id']), Number(row['posted']) - Number(row['newer'])]),
  );
}

function readPurpose(row: Row): Purpose {
  const { provider, asked } = row;
  return {
    tool: String(row['tool']),
    provider: typeof provider === 'string' ? provider : null,
    asked: typeof asked === 'string' ? asked : null,
  };
}
