// A gateway process in a simulation: the real services on a real store, with a clock, vendors and
// a death of our choosing.
import { readSettings } from '../../src/settings/settings.ts';
import { noUploads } from '../upload-context.ts';
import { GatewayError, transcriberIds, TranscriptionRequest } from '@trivium/contract';
import type { TranscriberId } from '@trivium/contract';
import { listPrices, providers } from '../../src/providers/registry.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/store/database.ts';
import type { Send } from '../../src/platform/http-client.ts';
import type { Provider } from '../../src/providers/provider.ts';
import type { Attempt } from '../../src/providers/shared/transcribe-product.ts';
import { makeUnprovenBodies } from '../../src/transcription/receive-callback.ts';
import type { JobContext } from '../../src/transcription/job-context.ts';
import { makeContentThread } from '../../src/content/use-thread.ts';
import { jobRows } from '../../src/transcription/job-changes.ts';
import { makeLedger } from '../../src/billing/ledger.ts';
import { createJobTransitions } from '../../src/transcription/job-transitions.ts';
import { createTranscriptReader } from '../../src/transcription/read-transcript.ts';
import type { TranscriptReader } from '../../src/transcription/read-transcript.ts';
import { receiveCallback } from '../../src/transcription/receive-callback.ts';
import { runJob } from '../../src/transcription/run-job.ts';
import { runPaid } from '../../src/billing/index.ts';
import { makeTranscriptionTool } from '../../src/transcription/transcribe.ts';
import { claimJobs } from '../../src/transcription/store/leases.ts';
import { makeJobEnds } from '../../src/transcription/wait-for-end.ts';
import { providersWith } from '../configured-providers.ts';
import type { Random } from './seeded-random.ts';
import type { Listener } from './callback-sender.ts';
import { vendorHosts } from './vendors.ts';
import { deepgramKeyId, webhookSecret } from './vendor-job.ts';

export interface SimulatedProcess {
  alive: () => boolean;
  submit: (requestId: string, provider: TranscriberId) => Promise<void>;
  /** Claims what is due and works on it. */
  round: () => Promise<void>;
  /** Where vendors call back. */
  listener: Listener;
}

export class Killed extends Error {}

/** What a faulty adapter throws. */
export class AdapterFault extends Error {}

export interface Circumstances {
  name: string;
  database: Database;
  clock: Clock;
  random: Random;
  send: Send;
  /** What happens elsewhere just before the store is asked. */
  meanwhile: () => Promise<void>;
  /** From then on nothing fails any more. */
  isCalm: () => boolean;
  /** Whether vendors can call back. */
  reachable: boolean;
  /** Whether adapters throw: where requests are built, or where answers and deliveries are read. */
  adapters: 'working' | 'fail to ask' | 'fail to read';
  /**
   * After how many steps it crashes: each statement, commit and send has one before and one after
   * it.
   */
  livesFor: number;
}

export const simulatedAccount = 'acct_default';
export const leaseMs = 10_000;
export const jobDeadlineMinutes = 40;

export function startProcess(given: Circumstances): SimulatedProcess {
  const { name, clock, random } = given;
  let left = given.livesFor;
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
  const context = makeContext(given, database, send);
  const reader = given.adapters === 'fail to read' ? faultyReader : flakyReader(given);
  const unproven = makeUnprovenBodies(clock.ticks);
  const jobs: JobContext = {
    ...context,
    secret: 'simulated',
    owner: name,
    reader,
    random,
    nudge: noop,
    unproven,
  };
  const moves = createJobTransitions(jobs);
  return {
    alive: () => left > 0,
    submit: async (requestId, provider) => {
      const caller = { account_id: simulatedAccount, key_id: 'key' };
      const currentRequest = {
        request_id: requestId,
        caller,
        tool: 'transcription' as const,
        started: 0,
        seen: { attempts: [] },
      };
      const audioUrl = `https://example.org/${requestId}.wav`;
      const request = TranscriptionRequest.parse({ audio_url: audioUrl, provider });
      const tool = makeTranscriptionTool(jobs);
      await runPaid(jobs, tool, request, currentRequest).catch(ignoreDeath);
    },
    round: async () => {
      const now = clock.now().getTime();
      const room = transcriberIds.map((provider) => ({ provider, perAccount: 100 }));
      const claim = { owner: name, now, lease_until: now + leaseMs, limit: 2, room };
      const claimed = await claimJobs(database, claim).catch(ignoreDeath);
      for (const job of claimed ?? []) await runJob(jobs, moves, job).catch(ignoreFaults);
    },
    listener: async (delivery) => {
      try {
        step();
        await receiveCallback(jobs, delivery);
        // A crash here means a callback that was stored but not answered.
        step();
        return 200;
      } catch (error) {
        if (error instanceof GatewayError) return error.status;
        return ignoreDeath(error);
      }
    },
  };
}

function makeContext(
  { clock, reachable, adapters }: Circumstances,
  database: Database,
  send: Send,
): Omit<JobContext, 'secret' | 'owner' | 'reader' | 'random' | 'nudge' | 'unproven'> {
  const log = { debug: noop, info: noop, warn: noop, error: noop, isLevelEnabled: () => false };
  const configured = (id: TranscriberId) => ({
    provider: adapters === 'fail to ask' ? faultyProvider(id) : providers[id],
    state: 'configured' as const,
    upstream: { key: 'simulated', hosts: { api: vendorHosts[id] } },
  });
  const settings: JobContext['settings'] = {
    ...readSettings({}, []),
    auto_transcription: ['stt_a'],
    job_deadline_minutes: jobDeadlineMinutes,
    job_hold_minutes: 60,
    keep_query_hours: 0,
    max_audio_minutes: 600,
    max_request_usd: 10,
    overdraft_usd: 5,
    extras: { ELEVENLABS_WEBHOOK_SECRET: webhookSecret, DEEPGRAM_KEY_ID: deepgramKeyId },
    ...(reachable ? { callback_base: 'https://gateway.example' } : {}),
  };
  return {
    settings,
    clock,
    database,
    ledger: makeLedger({ database, clock, log, linkedRows: jobRows }),
    send,
    log,
    prices: listPrices,
    // A round may run inside a call of the same process, so it must not wait for that call.
    lookupAnswers: { share: (_key, _keptMs, make) => make(), mayCall: () => true },
    synchronous: new Set(),
    ends: makeJobEnds({ database, clock, log }),
    uploads: noUploads,
    contentThread: makeContentThread(),
    providers: providersWith({
      stt_a: configured('stt_a'),
      stt_b: configured('stt_b'),
      stt_c: configured('stt_c'),
    }),
  };
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

/** The worker notes what a round throws, and continues. */
function ignoreFaults(error: unknown): undefined {
  if (!(error instanceof AdapterFault)) ignoreDeath(error);
}

/** Now and then a callback cannot be read, and a moment later it can. */
function flakyReader({ random, isCalm }: Circumstances): TranscriptReader {
  const reader = createTranscriptReader();
  return {
    ...reader,
    read: (task) => {
      const fails = task.source === 'callback' && !isCalm() && random() < 0.1;
      return fails ? faultyReader.read(task) : reader.read(task);
    },
  };
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
  // The price of a job is read from its submission before there is an attempt.
  const toSubmit = (attempt: Attempt) =>
    attempt.token === '' ? product.toSubmit(attempt) : fail();
  return { ...rest, transcribe: { ...product, toSubmit, toPoll: fail, toLookup: fail } };
}

function noop(): void {
  return undefined;
}
