// What must hold in a simulation: every single move is one of the table, and at the end of a life
// nothing was sent or charged twice, and nothing that could be had was lost.
import type { Database, Row } from '../../src/store/database.ts';
import { forgedWords } from './vendor-job.ts';
import type { VendorJob } from './vendor-job.ts';

const statusMoves: Readonly<Record<string, string>> = {
  queued: 'running',
  running: 'completed failed',
};
const attemptMoves: Readonly<Record<string, string>> = {
  // Completed by what a refused attempt delivers all the same.
  queued: 'submitting completed failed',
  submitting: 'queued waiting unknown completed failed',
  unknown: 'waiting completed failed',
  waiting: 'completed failed',
};

/** Adds triggers that record every change of a job's two states. */
export async function noteMoves(database: Database): Promise<void> {
  await database.run(`create temp table moves (job_id, name, was, became)`);
  for (const name of ['status', 'attempt_status']) {
    await database.run(
      `create temp trigger note_${name} after update on jobs when old.${name} <> new.${name}
       begin insert into moves values (new.id, '${name}', old.${name}, new.${name}); end`,
    );
  }
}

/** The moves made since it was last asked that no table allows. */
export async function forbiddenMoves(database: Database): Promise<string[]> {
  const moves = await database.run('select distinct name, was, became from moves');
  await database.run('delete from moves');
  return moves.flatMap(({ name, was, became }) => {
    const table = name === 'status' ? statusMoves : attemptMoves;
    if ((table[String(was)] ?? '').split(' ').includes(String(became))) return [];
    return [`a job went from ${String(name)} ${String(was)} to ${String(became)}`];
  });
}

/** A delivery that was taken with thanks stays in the store until its job has ended. */
export async function forgottenDeliveries(
  database: Database,
  accepted: readonly VendorJob[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const { token } of accepted.filter(({ received }) => received)) {
    const jobId = token.split('.')[0] ?? '';
    const [kept] = await database.run(
      `select id from jobs where id = $1 and finished_at is null
       and not exists (select 1 from callbacks where job_id = $1)`,
      [jobId],
    );
    if (kept) faults.push(`a delivery for ${jobId} was deleted before its job had ended`);
  }
  return faults;
}

/** Everything that must hold when a life is over. */
export async function auditRun(
  database: Database,
  rows: readonly Row[],
  accepted: readonly VendorJob[],
  findable: readonly VendorJob[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const row of rows) {
    faults.push(...(await auditJob(database, row, accepted)));
    faults.push(...findLost(row, findable));
  }
  const [account] = await database.run<{ held: unknown }>('select held from accounts');
  if (Number(account?.held) !== 0) faults.push(`${String(account?.held)} are still held`);
  // A process that dies over an unproven delivery leaves it behind, but without an owner.
  const [forged] = await database.run(
    'select id from texts where job_id is not null and instr(content, $1) > 0',
    [forgedWords],
  );
  if (forged) faults.push('something forged was taken for genuine');
  const [left] = await database.run<{ count: unknown }>('select count(*) as count from callbacks');
  if (Number(left?.count) > 0) faults.push('deliveries are left of jobs that have ended');
  return faults;
}

async function auditJob(
  database: Database,
  row: Row,
  accepted: readonly VendorJob[],
): Promise<string[]> {
  const faults: string[] = [];
  const id = String(row['id']);
  const taken = accepted.filter((work) => isOf(work, row));
  const admitted = taken.filter(({ denied }) => !denied);
  if (admitted.length > 1) faults.push(`${id} was accepted ${admitted.length} times`);
  if (row['finished_at'] === null) faults.push(`${id} never ended: ${row['attempt_status']}`);
  const holdId = `job:${id}`;
  const open = await database.run('select id from holds where id = $1', [holdId]);
  const settled = await database.run(`select id from transfers where hold_id = $1`, [holdId]);
  const completed = row['status'] === 'completed';
  if (settled.length !== (completed ? 1 : 0)) faults.push(`${id} has ${settled.length} charges`);
  if (open.length > 0) faults.push(`${id} is ${String(row['status'])} with an open hold`);
  if (completed && !taken.some(({ succeeds }) => succeeds)) {
    faults.push(`${id} completed, but was never done`);
  }
  return faults;
}

function findLost(row: Row, findable: readonly VendorJob[]): string[] {
  if (row['status'] === 'completed') return [];
  const lost = findable.filter((one) => isOf(one, row) && one.succeeds && couldBeHad(one, row));
  return lost.map(({ provider, delivery, denied }) => {
    const facts = JSON.stringify({ provider, delivery, denied, error: row['error'] });
    return `${String(row['id'])} was transcribed and could be had, but failed: ${facts}`;
  });
}

/** A synchronous call carries no token; the address of its recording names its request. */
function isOf({ token, audio_url }: VendorJob, row: Row): boolean {
  return (
    token.startsWith(`${String(row['id'])}.`) || audio_url.endsWith(`/${row['request_id']}.wav`)
  );
}

/** By what each vendor offers: a listing, nothing but the callback, or an id that we know. */
function couldBeHad({ provider, received, denied }: VendorJob, row: Row): boolean {
  // What AssemblyAI delivers is no transcript, and what it denies to have is not asked for.
  if (denied) return received && provider !== 'stt_a';
  if (provider === 'stt_a' || received) return true;
  return provider === 'stt_c' && row['provider_job_id'] !== null;
}
