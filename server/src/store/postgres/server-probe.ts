// Asks a PostgreSQL server, on a separate connection, whether it is a standby or a primary, and for
// its timeline. Every promotion begins a timeline with a higher number, so a primary that missed a
// promotion is recognised by its lower number.
import type { SQL } from 'bun';
import { machine } from '../../platform/machine.ts';
import { databaseIn, isUnprepared, withoutPrepare } from '../../settings/index.ts';

export interface ServerState {
  isStandby: boolean;
  /** Timelines are comparable only within one system. Empty if the server does not say. */
  system: string;
  timeline: number;
}

export interface ServerProbe {
  ask: () => Promise<ServerState>;
  /** Closes the connection, so that the next question uses a new one. */
  abandon: () => void;
}

const connectTimeoutS = 4;
/** An address can lead to another server, which only a new connection reveals. */
const keptMs = 10_000;

const whole = `select pg_is_in_recovery() as standby,
    (select system_identifier from pg_control_system()) as system,
    case when pg_is_in_recovery() then null
      else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`;
/** For a server that does not show the rest to this user. */
const least = 'select pg_is_in_recovery() as standby';

export function makeServerProbe(address: string): ServerProbe {
  let kept: { sql: SQL; since: number } | undefined;
  let opening: SQL | undefined;
  const drop = (sql: SQL | undefined) => void sql?.close({ timeout: 0 }).catch(() => undefined);
  const askAnew = async () => {
    const sql = (opening = connect(address));
    try {
      const state = await read(sql);
      if (opening !== sql) throw new Error('the question was abandoned');
      drop(kept?.sql);
      kept = { sql, since: machine.ticks() };
      return state;
    } catch (error) {
      drop(sql);
      throw error;
    } finally {
      if (opening === sql) opening = undefined;
    }
  };
  const askKept = (old: SQL) =>
    read(old).catch((error: unknown) => {
      if (kept?.sql === old) kept = undefined;
      drop(old);
      throw error;
    });
  return {
    ask: () => {
      const old = kept;
      if (!old) return askAnew();
      const isOld = machine.ticks() - old.since > keptMs;
      return isOld ? askAnew().catch(() => askKept(old.sql)) : askKept(old.sql).catch(askAnew);
    },
    abandon: () => {
      drop(opening);
      drop(kept?.sql);
      [opening, kept] = [undefined, undefined];
    },
  };
}

function connect(address: string): SQL {
  return machine.openSql({
    url: withoutPrepare(address),
    database: databaseIn(address),
    max: 1,
    connectionTimeout: connectTimeoutS,
    prepare: !isUnprepared(address),
  });
}

async function read(sql: SQL): Promise<ServerState> {
  const rows = await sql.unsafe(whole).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'ERR_POSTGRES_SERVER_ERROR') throw error;
    return sql.unsafe(least);
  });
  const [row] = rows as { standby: boolean; system?: unknown; timeline?: string | null }[];
  return {
    isStandby: row?.standby !== false,
    system: String(row?.system ?? ''),
    timeline: Number.parseInt(row?.timeline ?? '0', 16),
  };
}
