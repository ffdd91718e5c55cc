// What programs and their database have used so far: CPU time from the system, updates, commits and
// log from PostgreSQL. `npm run bench -- scale` subtracts two readings.
import { SQL } from 'bun';
import { readdirSync, readFileSync } from 'node:fs';
import type { Peer } from '../overhead/peers.ts';

/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10;

export interface Counters {
  accountUpdates: number;
  commits: number;
  walBytes: number;
  gatewayCpuMs: number;
  /** Of that, what the runtime used to compile JavaScript. */
  compilerMs: number;
  databaseCpuMs: number;
}

/** Without an URL, of programs that have no database. */
export async function readCounters(
  url: string | undefined,
  gateways: readonly Peer[],
): Promise<Counters> {
  // The server writes its statistics about a second late.
  await Bun.sleep(1500);
  const sumOf = (read: (program: Peer['program']) => number | undefined) =>
    gateways.reduce((sum, { program }) => sum + (read(program) ?? NaN), 0);
  const cpu = {
    gatewayCpuMs: sumOf((program) => program.cpuMs()),
    compilerMs: sumOf((program) => program.compilerMs()),
  };
  if (url === undefined) {
    return { ...cpu, accountUpdates: 0, commits: 0, walBytes: 0, databaseCpuMs: 0 };
  }
  const sql = new SQL(url, { max: 1 });
  const [row] = (await sql.unsafe(
    `select (select n_tup_upd from pg_stat_user_tables where relname = 'accounts') as updates,
       (select xact_commit from pg_stat_database where datname = current_database()) as commits,
       pg_current_wal_lsn() - '0/0' as wal, pg_backend_pid() as session`,
  )) as { updates: string; commits: string; wal: string; session: number }[];
  const databaseCpuMs = cpuOfPostgres(Number(row?.session), new URL(url).pathname.slice(1));
  await sql.close();
  const counted = {
    accountUpdates: Number(row?.updates),
    commits: Number(row?.commits),
    walBytes: Number(row?.wal),
  };
  return { ...counted, ...cpu, databaseCpuMs };
}

/** The sessions of one database and what its server does for all, without this session. */
function cpuOfPostgres(session: number, database: string): number {
  const server = statOf(session).parent;
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = statOf(Number(pid));
      if (stat.parent !== server || Number(pid) === session) continue;
      const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const isOther = / (?:scale_\d+|single) /.test(title) && !title.includes(` ${database} `);
      if (!isOther) ticks += stat.ticks;
    } catch {
      // It has ended in the meantime.
    }
  }
  return ticks * msPerTick;
}

function statOf(pid: number): { parent: number; ticks: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
}
