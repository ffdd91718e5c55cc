// A gateway process in a simulation: the real services on a real store, with a clock, vendors and
// a death of our choosing.
import { GatewayError, TranscriptionRequest } from '@trivium/contract';
import type { TranscriberId } from '@trivium/contract';
import { list_prices } from '../../src/providers/list-prices.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import type { Send } from '../../src/platform/http.ts';
import { providers } from '../../src/providers/index.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { makeUnprovenRoom } from '../../src/services/delivery-body.ts';
import type { House } from '../../src/services/house.ts';
import type { JobDesk } from '../../src/services/job-desk.ts';
import { makeLedger } from '../../src/services/ledger.ts';
import { makeJobMoves } from '../../src/services/move-job.ts';
import { makeReader } from '../../src/services/read-transcript.ts';
import type { TranscriptReader } from '../../src/services/read-transcript.ts';
import { receiveCallback } from '../../src/services/receive-callback.ts';
import { runJob } from '../../src/services/run-job.ts';
import { transcribe } from '../../src/services/transcribe.ts';
import { claimJobs } from '../../src/store/leases.ts';
import type { Chance } from './dice.ts';
import type { Door } from './postman.ts';
import { vendor_hosts } from './vendors.ts';
import { deepgram_key_id, webhook_secret } from './work.ts';

export interface SimulatedProcess {
  alive: () => boolean;
  submit: (request_id: string, provider: TranscriberId) => Promise<void>;
  /** Claims what is due and works on it. */
  round: () => Promise<void>;
  /** Where vendors call back. */
  door: Door;
}

export class Killed extends Error {}

/** What a faulty adapter throws. */
export class AdapterFault extends Error {}

export interface Circumstances {
  name: string;
  database: Database;
  clock: Clock;
  chance: Chance;
  send: Send;
  /** What happens elsewhere just before the store is asked. */
  meanwhile: () => Promise<void>;
  /** Whether vendors can call back. */
  reachable: boolean;
  /** Whether adapters throw: where requests are built, or where answers and deliveries are read. */
  adapters: 'sound' | 'fail to ask' | 'fail to read';
  /**
   * How many more steps it lives: each statement, commit and send has one before and one after
   * it.
   */
  lives_for: number;
}

export const simulated_account = 'acct_default';
export const lease_ms = 10_000;
export const job_deadline_minutes = 40;

export function startProcess(given: Circumstances): SimulatedProcess {
  const { name, clock, chance } = given;
  let left = given.lives_for;
  const step = () => {
    if (left <= 0) throw new Killed();
    left -= 1;
    if (left === 0) throw new Killed();
  };
  const database = mortalDatabase(given, step);
  const send: Send = async (outgoing) => {
    step();
    const sent = await given.send(outgoing);
    step();
    return sent;
  };
  const house = makeHouse(given, database, send);
  const reader = given.adapters === 'fail to read' ? faultyReader : makeReader();
  const unproven = makeUnprovenRoom(clock.ticks);
  const desk: JobDesk = {
    house,
    secret: 'simulated',
    owner: name,
    reader,
    chance,
    nudge: noop,
    unproven,
  };
  const moves = makeJobMoves(desk);
  return {
    alive: () => left > 0,
    submit: async (request_id, provider) => {
      const caller = { account_id: simulated_account, key_id: 'key' };
      const asking = { request_id, caller, tool: 'transcription' as const, started: 0, seen: {} };
      const audio_url = `https://example.org/${request_id}.wav`;
      const request = TranscriptionRequest.parse({ audio_url, provider });
      await transcribe(desk, asking, request).catch(ignoreDeath);
    },
    round: async () => {
      const now = clock.now().getTime();
      const claim = { owner: name, now, lease_until: now + lease_ms, limit: 2, full: [] };
      const claimed = await claimJobs(database, claim).catch(ignoreDeath);
      for (const job of claimed ?? []) await runJob(desk, moves, job).catch(ignoreFaults);
    },
    door: async (delivery) => {
      try {
        step();
        await receiveCallback(desk, delivery);
        // Death here is a delivery that was stored, but never thanked for.
        step();
        return 200;
      } catch (error) {
        if (error instanceof GatewayError) return error.status;
        return ignoreDeath(error);
      }
    },
  };
}

function makeHouse(
  { clock, reachable, adapters }: Circumstances,
  database: Database,
  send: Send,
): House {
  const log = { debug: noop, info: noop, warn: noop, error: noop, isLevelEnabled: () => false };
  const station = (id: TranscriberId) => ({
    provider: adapters === 'fail to ask' ? faultyProvider(id) : providers[id],
    state: 'configured' as const,
    upstream: { key: 'simulated', hosts: { api: vendor_hosts[id] } },
  });
  const settings = {
    auto_transcription: ['stt_a'],
    job_deadline_minutes,
    job_hold_minutes: 60,
    max_request_usd: 10,
    extras: { ELEVENLABS_WEBHOOK_SECRET: webhook_secret, DEEPGRAM_KEY_ID: deepgram_key_id },
    ...(reachable ? { public_url: 'https://gateway.example' } : {}),
  };
  return {
    settings,
    clock,
    database,
    ledger: makeLedger({ database, clock, log }),
    send,
    log,
    prices: list_prices,
    stations: { stt_a: station('stt_a'), stt_b: station('stt_b'), stt_c: station('stt_c') },
  } as unknown as House;
}

function mortalDatabase({ database, meanwhile }: Circumstances, step: () => void): Database {
  const mortal: Database = {
    ...database,
    perform: ({ work }, input) => mortal.transaction((tx) => work(tx, input)),
    run: async (text, values) => {
      await meanwhile();
      step();
      const rows = await database.run(text, values);
      step();
      return rows as never;
    },
    transaction: async (work) => {
      await meanwhile();
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

/** The worker notes what a round throws, and goes on. */
function ignoreFaults(error: unknown): undefined {
  if (!(error instanceof AdapterFault)) ignoreDeath(error);
}

const faultyReader: TranscriptReader = {
  read: () => Promise.reject(new AdapterFault()),
  close: noop,
};

function faultyProvider(id: TranscriberId): Provider {
  const { transcribe: product, ...rest } = providers[id];
  if (!product) throw new Error(`${id} has no transcription product`);
  const fail = () => {
    throw new AdapterFault();
  };
  return { ...rest, transcribe: { ...product, toSubmit: fail, toPoll: fail, toLookup: fail } };
}

function noop(): void {
  return undefined;
}
