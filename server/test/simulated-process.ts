// A gateway process in a simulation: the real services on a real store, with a clock, a provider
// and a death of our choosing.
import { TranscriptionRequest } from '@trivium/contract';
import { list_prices } from '../src/domain/prices.ts';
import type { Clock } from '../src/platform/clock.ts';
import type { Database } from '../src/platform/database.ts';
import type { Send } from '../src/platform/http.ts';
import { providers } from '../src/providers/index.ts';
import type { House } from '../src/services/house.ts';
import type { JobDesk } from '../src/services/job-desk.ts';
import { makeLedger } from '../src/services/ledger.ts';
import { makeJobMoves } from '../src/services/move-job.ts';
import { makeReader } from '../src/services/read-transcript.ts';
import { runJob } from '../src/services/run-job.ts';
import { transcribe } from '../src/services/transcribe.ts';
import { claimJobs } from '../src/store/leases.ts';

export interface SimulatedProcess {
  alive: () => boolean;
  submit: (request_id: string) => Promise<void>;
  /** Claims what is due and works on it; false when nothing was. */
  round: () => Promise<boolean>;
}

export class Killed extends Error {}

export interface Circumstances {
  name: string;
  database: Database;
  clock: Clock;
  chance: () => number;
  send: Send;
  /**
   * How many more steps it lives: each statement, commit and send has one before and one after
   * it.
   */
  lives_for: number;
}

export const simulated_account = 'acct_default';
export const lease_ms = 10_000;

export function startProcess(given: Circumstances): SimulatedProcess {
  const { name, clock, chance } = given;
  let left = given.lives_for;
  const step = () => {
    if (left <= 0) throw new Killed();
    left -= 1;
    if (left === 0) throw new Killed();
  };
  const database = mortalDatabase(given.database, step);
  const send: Send = async (outgoing) => {
    step();
    const sent = await given.send(outgoing);
    step();
    return sent;
  };
  const log = { debug: noop, info: noop, warn: noop, error: noop };
  const hosts = { api: 'https://api.assemblyai.com' };
  const station = {
    provider: providers.stt_a,
    state: 'configured' as const,
    upstream: { key: 'simulated', hosts },
  };
  const settings = {
    auto_transcription: ['stt_a'],
    job_deadline_minutes: 120,
    job_hold_minutes: 60,
    extras: {},
  };
  const house = {
    settings,
    clock,
    database,
    ledger: makeLedger({ database, clock, log }),
    send,
    log,
    prices: list_prices,
    stations: { stt_a: station },
  } as unknown as House;
  const reader = makeReader();
  const desk: JobDesk = { house, secret: 'simulated', owner: name, reader, chance, nudge: noop };
  const moves = makeJobMoves(desk);
  return {
    alive: () => left > 0,
    submit: async (request_id) => {
      const caller = { account_id: simulated_account, key_id: 'key' };
      const asking = { request_id, caller, tool: 'transcription' as const, started: 0, seen: {} };
      const audio_url = `https://example.org/${request_id}.wav`;
      await transcribe(desk, asking, TranscriptionRequest.parse({ audio_url })).catch(ignoreDeath);
    },
    round: async () => {
      const now = clock.now().getTime();
      const claim = { owner: name, now, lease_until: now + lease_ms, limit: 2, full: [] };
      const claimed = await claimJobs(database, claim).catch(ignoreDeath);
      for (const job of claimed ?? []) await runJob(desk, moves, job).catch(ignoreDeath);
      return (claimed?.length ?? 0) > 0;
    },
  };
}

function mortalDatabase(database: Database, step: () => void): Database {
  const mortal: Database = {
    ...database,
    perform: ({ work }, input) => mortal.transaction((tx) => work(tx, input)),
    run: async (text, values) => {
      step();
      const rows = await database.run(text, values);
      step();
      return rows as never;
    },
    transaction: async (work) => {
      step();
      const result = await database.transaction(async (tx) => {
        const done = await work(tx);
        // Death here is a commit that never happened.
        step();
        return done;
      });
      step();
      return result;
    },
  };
  return mortal;
}

function ignoreDeath(error: unknown): undefined {
  if (!(error instanceof Killed)) throw error;
}

function noop(): void {
  return undefined;
}
