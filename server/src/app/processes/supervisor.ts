// Starts several processes, replaces any that ends, and stops them together.
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import { backoff } from '../../platform/backoff.ts';
import { type Clock, withTimeLimit } from '../../platform/clock.ts';
import { every } from '../../platform/every.ts';
import type { Log } from '../../platform/log.ts';
import type { FromProcess, FromSupervisor, MetricValues, RenderedMetrics } from './supervised.ts';

export interface ChildProcess {
  readonly exited: Promise<number>;
  readonly signalCode: NodeJS.Signals | number | null;
  kill: (signal: NodeJS.Signals) => void;
  /** Does nothing if the process has ended. */
  send: (message: FromSupervisor) => void;
}

interface Parts {
  count: number;
  /** `announces` is true until one process was ready: that process prints the start-up output. */
  start: (
    number: number,
    announces: boolean,
    onMessage: (message: FromProcess) => void,
  ) => ChildProcess;
  clock: Clock;
  log: Log;
  rules?: typeof usualRules;
}

const usualRules = {
  /** The pause before the first replacement. It doubles with each further one. */
  firstPauseMs: 100,
  longestPauseMs: 30_000,
  /** A process that served for this long does not count as failed. */
  steadyAfterMs: 60_000,
  /** The supervisor gives up when all processes have failed this often in a row. */
  maxFailures: 10,
  /** A process whose event loop has been silent for this long is reported … */
  silentMs: 10_000,
  /** … and killed if it stays silent for this much longer. */
  graceMs: 2000,
  lookEveryMs: 1000,
};

/** A slot, which one process after another takes. */
interface Slot {
  number: number;
  child: ChildProcess | undefined;
  readyAt: number | undefined;
  /** When its last message arrived. */
  heardAt: number;
  isSilent: boolean;
  failures: number;
  metrics: MetricValues | undefined;
  /** Called when its metrics have arrived. */
  onMetrics: () => void;
}

const ownMetricsLimitMs = 1000;

export function supervise({ count, start, clock, log, rules = usualRules }: Parts) {
  const slots = Array.from({ length: count }, (_, index) => newSlot(index + 1));
  const stopping = new AbortController();
  const pauseAfter = backoff(rules.firstPauseMs, 2, rules.longestPauseMs);
  const firstReady = Promise.withResolvers<void>();
  const metrics = collectMetrics(slots);
  let hasServed = false;
  let exitCode = 0;

  const stop = (signal: NodeJS.Signals) => {
    stopping.abort();
    for (const { child } of slots) child?.kill(signal);
  };
  const fail = (code: number) => {
    exitCode = code;
    stop('SIGTERM');
  };
  const receive = (slot: Slot, message: FromProcess) => {
    slot.heardAt = clock.ticks();
    slot.isSilent = false;
    if (message.type === 'alive') return;
    if (message.type === 'ready') {
      slot.readyAt = clock.ticks();
      hasServed = true;
      firstReady.resolve();
    } else if (message.type === 'own_metrics') {
      slot.metrics = message.values;
      slot.onMetrics();
    } else {
      metrics.render().then(
        (rendered) => slot.child?.send({ type: 'metrics', rendered }),
        (error: unknown) => log.error({ err: error }, 'the metrics could not be merged'),
      );
    }
  };
  const live = async (slot: Slot) => {
    const child = start(slot.number, !hasServed, (message) => receive(slot, message));
    slot.child = child;
    const code = await child.exited;
    const isSteady =
      slot.readyAt !== undefined && clock.ticks() - slot.readyAt >= rules.steadyAfterMs;
    metrics.keep(slot);
    Object.assign(slot, newSlot(slot.number), { failures: isSteady ? 1 : slot.failures + 1 });
    return { code, signal: child.signalCode };
  };
  const run = async (slot: Slot) => {
    while (!stopping.signal.aborted) {
      const { code, signal } = await live(slot);
      if (stopping.signal.aborted) {
        // The signals that ask a process to end may arrive before it handles them.
        const isOurs = signal === 'SIGTERM' || signal === 'SIGINT';
        if (code !== 0 && !isOurs) exitCode ||= 1;
        return;
      }
      // The process printed the reason, and every other one would fail as well.
      if (!hasServed) return fail(code || 1);
      const pauseMs = pauseAfter(slot.failures);
      const end = { process: slot.number, exit_code: code, signal, pause_ms: pauseMs };
      if (slots.every(({ failures }) => failures >= rules.maxFailures)) {
        log.error(end, 'no process keeps running: the supervisor stops');
        return fail(1);
      }
      log.error(end, 'a process ended unexpectedly and is replaced');
      metrics.countRestart();
      await clock.sleep(pauseMs, stopping.signal).catch(() => undefined);
    }
  };
  const runAll = async () => {
    // The first process migrates the store and prints the new credentials.
    const first = Promise.all(slots.slice(0, 1).map(run));
    await Promise.race([firstReady.promise, first]);
    await Promise.all(slots.slice(1).map(run));
    await first;
    return exitCode;
  };
  const watch = every(rules.lookEveryMs, {
    name: 'silence',
    work: watchSilence(slots, rules, clock, log),
    onError: (error) => log.error({ err: error }, 'the processes could not be watched'),
  });
  return { stop, ready: firstReady.promise, ended: runAll().finally(watch.stop) };
}

/**
 * A frozen process accepts connections that it never answers, and cannot end on its own. What it
 * has journaled is on disk, so killing it loses no payment.
 */
function watchSilence(
  slots: readonly Slot[],
  { silentMs, graceMs, lookEveryMs }: typeof usualRules,
  clock: Clock,
  log: Log,
): () => void {
  let lookedAt = clock.ticks();
  return () => {
    const now = clock.ticks();
    // The whole machine slept, or this process did not run: messages may be waiting to be read.
    const wasAway = now - lookedAt > lookEveryMs + graceMs;
    lookedAt = now;
    for (const slot of slots.filter(isReady)) {
      if (wasAway) slot.heardAt = now;
      const silence = now - slot.heardAt;
      const report = { process: slot.number, silent_ms: Math.round(silence) };
      if (silence > silentMs && !slot.isSilent) {
        slot.isSilent = true;
        log.error(report, 'a process is silent: its event loop is blocked');
      }
      if (silence <= silentMs + graceMs) continue;
      log.error(report, 'a process that stays silent is killed');
      slot.child?.kill('SIGKILL');
    }
  };
}

function newSlot(number: number): Slot {
  return {
    number,
    child: undefined,
    readyAt: undefined,
    heardAt: 0,
    isSilent: false,
    failures: 0,
    metrics: undefined,
    onMetrics: () => undefined,
  };
}

function collectMetrics(slots: readonly Slot[]) {
  const registry = new Registry();
  const registers = [registry];
  const running: Gauge = new Gauge({
    name: 'trivium_processes',
    help: 'Processes that serve.',
    registers,
    collect: () => running.set(slots.filter(isReady).length),
  });
  const restarts = new Counter({
    name: 'trivium_process_restarts_total',
    help: 'Processes that ended unexpectedly and were replaced.',
    registers,
  });
  const merged = makeMergedMetrics(registry);
  const ask = (slot: Slot) => {
    const answered = Promise.withResolvers<void>();
    slot.onMetrics = answered.resolve;
    void slot.child?.exited.then(() => answered.resolve());
    slot.child?.send({ type: 'own_metrics_wanted' });
    return withTimeLimit(answered.promise, ownMetricsLimitMs, () => new Error('no metrics'));
  };
  let rendering: Promise<RenderedMetrics> | undefined;
  return {
    countRestart: () => restarts.inc(),
    keep: ({ metrics }: Slot) => {
      if (metrics) merged.keep(metrics);
    },
    /** For a process that does not answer in time, the latest values are used. */
    render: () => {
      rendering ??= Promise.allSettled(slots.filter(isReady).map(ask))
        .then(() => merged.render(() => slots.flatMap(({ metrics }) => (metrics ? [metrics] : []))))
        .finally(() => {
          rendering = undefined;
        });
      return rendering;
    },
  };
}

function isReady({ readyAt }: Slot): boolean {
  return readyAt !== undefined;
}

/** `own` contains the metrics of the supervisor itself. */
export function makeMergedMetrics(own: Registry) {
  const ended: MetricValues[] = [];
  return {
    /** Keeps the counts of a process that has ended. */
    keep: (latest: MetricValues) => void ended.push(latest.filter(onlyGrows)),
    /** `readRunning` returns the latest values of each running process. */
    render: async (readRunning: () => readonly MetricValues[]): Promise<RenderedMetrics> => {
      const folded = ended.length;
      ended.splice(0, folded, await merge(ended).getMetricsAsJSON());
      const values = await own.getMetricsAsJSON();
      const merged = merge([values, ...ended, ...readRunning()]);
      return { type: merged.contentType, text: await merged.metrics() };
    },
  };
}

function merge(values: readonly MetricValues[]): Registry {
  return AggregatorRegistry.aggregate([...values]);
}

function onlyGrows({ type }: MetricValues[number]): boolean {
  return String(type) !== 'gauge';
}
