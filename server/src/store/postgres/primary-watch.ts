// Watches the servers in DATABASE_URL. The gateway leaves a server that hangs, and follows a
// promotion. The former primary may wake up and still accept writes, so its answers are no longer
// used.

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

interface PrimaryWatch {
  /** Resolves when every server was asked and the newest primary is in use. */
  start: () => Promise<void>;
  /** Asks the servers at once, because a connection was lost. */
  hurry: () => void;
  /** True if the server in use was seen as the newest primary within the lease. */
  isConfirmed: () => boolean;
  /** Asks the server in use, and the others, whether it is still the newest primary. */
  confirm: () => Promise<void>;
  stop: () => void;
}

interface WatchDependencies {
  addresses: readonly string[];
  openProbe: (address: string) => ServerProbe;
  /** Monotonic milliseconds. */
  ticks: () => number;
  /** Calls back every so many milliseconds, until the returned function is called. */
  repeat: (work: () => void, everyMs: number) => () => void;
  sleep: (ms: number) => Promise<void>;
  /**
   * From now on, statements go to this address, on new connections. The address may be the same as
   * before, if the server behind it hangs or was replaced.
   */
  moveTo: (address: string) => void;
}

const askEveryMs = 1000;
/** If this many later questions are due while one is unanswered, the server hangs. */
const maxMissed = 4;
const leaseMs = 3000;
/** How long to wait for the other servers once the server in use has answered. */
const othersMs = 500;
/** After a lost connection, the servers are not asked again sooner than this. */
const hurryPauseMs = 200;

interface Question {
  at: number;
  missed: number;
  /** Resolves with the answer, or when the question is abandoned. */
  ended: PromiseWithResolvers<void>;
}

interface Server {
  address: string;
  probe: ServerProbe;
  open: Question | undefined;
  /** Its last answer, and when it was asked. */
  last: (ServerState & { at: number }) | undefined;
}

interface Watch extends WatchDependencies {
  servers: readonly Server[];
  inUse: Server;
  /**
   * The state of the server in use when its connections were opened. Undefined until it answers.
   */
  used: ServerState | undefined;
  confirmedAt: number;
  /** The highest timeline that a primary was seen with, by system. */
  newest: Map<string, number>;
}

export function watchPrimary(dependencies: WatchDependencies): PrimaryWatch {
  const { addresses, openProbe, ticks, repeat, sleep } = dependencies;
  const servers = [...new Set(addresses)].map((address): Server => ({
    address,
    probe: openProbe(address),
    open: undefined,
    last: undefined,
  }));
  const [first] = servers;
  if (!first) throw new Error('there is no server to watch');
  const watch: Watch = {
    ...dependencies,
    servers,
    inUse: first,
    used: undefined,
    confirmedAt: -Infinity,
    newest: new Map(),
  };
  let stopAsking: (() => void) | undefined;
  let hurriedAt = -Infinity;
  const askAll = () => Promise.all(servers.map((server) => ask(watch, server)));
  const isConfirmed = () => ticks() - watch.confirmedAt <= leaseMs;
  return {
    start: async () => {
      stopAsking = repeat(() => {
        for (const server of servers) noteMissed(watch, server);
        void askAll();
      }, askEveryMs);
      await askAll();
    },
    hurry: () => {
      if (!stopAsking || ticks() - hurriedAt < hurryPauseMs) return;
      hurriedAt = ticks();
      void askAll();
    },
    isConfirmed,
    confirm: async () => {
      // After a pause of this process, another server may have been promoted.
      const others = Promise.all(servers.map((server) => askAnew(watch, server)));
      await Promise.race([others, askAnew(watch, watch.inUse).then(() => sleep(othersMs))]);
    },
    stop: () => {
      stopAsking?.();
      stopAsking = undefined;
      for (const { probe } of servers) probe.abandon();
    },
  };
}

/** Asks each server one question at a time. */
function ask(watch: Watch, server: Server): Promise<void> {
  if (server.open) return server.open.ended.promise;
  const question: Question = {
    at: watch.ticks(),
    missed: 0,
    ended: Promise.withResolvers<void>(),
  };
  server.open = question;
  const end = (state?: ServerState) => {
    if (server.open !== question) return;
    server.open = undefined;
    server.last = state && { ...state, at: question.at };
    noteAnswer(watch, server);
    question.ended.resolve();
  };
  server.probe.ask().then(end, () => end());
  return question.ended.promise;
}

/** The answer to an earlier question may be out of date. */
async function askAnew(watch: Watch, server: Server): Promise<void> {
  const isOpen = server.open !== undefined;
  await ask(watch, server);
  if (isOpen) await ask(watch, server);
}

/**
 * Counted in checks and not by a clock, so that a pause of this process does not make a server look
 * dead.
 */
function noteMissed(watch: Watch, server: Server): void {
  const { open } = server;
  if (!open) return;
  open.missed += 1;
  if (open.missed < maxMissed) return;
  server.probe.abandon();
  server.open = undefined;
  server.last = undefined;
  noteAnswer(watch, server);
  open.ended.resolve();
}

function noteAnswer(watch: Watch, server: Server): void {
  const { last } = server;
  if (last && !last.isStandby) {
    watch.newest.set(last.system, Math.max(last.timeline, watch.newest.get(last.system) ?? 0));
  }
  if (server !== watch.inUse) {
    if (isNewest(watch, server) && (!watch.used || isNewer(server, watch.used))) use(watch, server);
    return;
  }
  if (!last || !isNewest(watch, server)) return leave(watch);
  // There was a promotion behind the same address: the connections in use lead to the former
  // server.
  if (watch.used && !isSame(last, watch.used)) return use(watch, server);
  watch.used = last;
  watch.confirmedAt = last.at;
}

/** Called when the server in use hangs, is a standby, or is older than another primary. */
function leave(watch: Watch): void {
  const { inUse, used, servers, ticks } = watch;
  watch.confirmedAt = -Infinity;
  const next = servers.find(
    (server) =>
      server !== inUse &&
      isNewest(watch, server) &&
      ticks() - (server.last?.at ?? -Infinity) <= leaseMs,
  );
  if (next) return use(watch, next);
  // Until a server answers, statements fail at the same address instead of waiting on lost
  // connections.
  if (used) use(watch, inUse);
}

function use(watch: Watch, server: Server): void {
  const isUsable = isNewest(watch, server);
  watch.inUse = server;
  watch.used = isUsable ? server.last : undefined;
  watch.confirmedAt = isUsable ? (server.last?.at ?? -Infinity) : -Infinity;
  watch.moveTo(server.address);
}

function isNewest({ newest }: Watch, { last }: Server): boolean {
  return last !== undefined && !last.isStandby && last.timeline >= (newest.get(last.system) ?? 0);
}

function isNewer({ last }: Server, than: ServerState): boolean {
  return last?.system === than.system && last.timeline > than.timeline;
}

function isSame(one: ServerState, other: ServerState): boolean {
  return one.system === other.system && one.timeline === other.timeline;
}
