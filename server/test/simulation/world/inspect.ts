// What a gateway has in memory and in its store when nothing is open: what it still has then, it keeps
// for ever.
import { adminToken } from './environment.ts';
import type { Body } from './network.ts';
import type { World } from './world.ts';

export interface Inspection {
  books: Body;
  /** By name, added up over labels. */
  metrics: Readonly<Record<string, number>>;
  /** Tasks of the gateway that wait: its repeated work, and whatever a request has left behind. */
  tasks: number;
  /** What it does not forget, in words. */
  grown: string[];
}

const pauseMs = 30_000;
/** Requests whose callers have left have ended by then. */
const mostRounds = 30;

/** The first inspection that finds nothing, or else the last one. */
export function inspectSoon(world: World): Inspection | undefined {
  let found: Inspection | undefined;
  for (let round = 0; round < mostRounds; round += 1) {
    found = inspect(world);
    if (found && faultsIn(found).length === 0) return found;
    world.scheduler.runUntil(world.scheduler.now() + pauseMs);
  }
  return found;
}

/** What must not be there while nothing is open. */
export function faultsIn({ books, metrics, tasks, grown }: Inspection): string[] {
  const { violations = [], reserved_usd: reserved } = books as {
    violations?: string[];
    reserved_usd?: number;
  };
  const left = [
    ...['requests_running', 'upstream_running', 'upstream_waiting', 'ledger_waiting'],
    'bytes_in_progress',
  ];
  const never = ['broken_rules_total', 'ledger_unbooked_total', 'adapter_failures_total'];
  return [
    ...violations.map((words) => `memory: ${words}`),
    ...(reserved === 0 ? [] : [`memory: ${reserved} USD are reserved, and nothing runs`]),
    ...[...left, ...never].flatMap((name) => {
      const value = metrics[`trivium_${name}`] ?? 0;
      return value === 0 ? [] : [`memory: trivium_${name} is ${value}, and nothing runs`];
    }),
    ...grown.map((words) => `memory: ${words}`),
    ...(tasks <= mostTasks ? [] : [`memory: ${tasks} tasks wait, and nothing runs`]),
  ];
}

/** What a gateway repeats, and connections that it keeps. */
const mostTasks = 60;

/** How many rows each table has. */
export function countRows(open: World['openReader']): ReadonlyMap<string, number> {
  using reader = open();
  const { read } = reader;
  const tables = read("select name from sqlite_master where type = 'table'") ?? [];
  const counted = tables.map(({ name }) => {
    const [found] = read(`select count(*) as count from "${String(name)}"`) ?? [];
    return [String(name), Number(found?.['count'])] as const;
  });
  return new Map(counted);
}

function inspect(world: World): Inspection | undefined {
  const { scheduler, gateway } = world;
  const life = world.makeLife('inspector');
  const found: { books?: Body; text?: string } = {};
  const work = async () => {
    const books = await world.call(life, { path: '/admin/v1/books', key: adminToken });
    const metrics = await world.call(life, { path: '/metrics', key: adminToken });
    if (books.kind === 'answer' && books.status === 200) found.books = books.body;
    if (metrics.kind === 'answer' && metrics.status === 200) found.text = metrics.text;
  };
  let isOver = false;
  scheduler.after(0, life, () => void work().finally(() => (isOver = true)));
  scheduler.runUntil(scheduler.now() + pauseMs, () => isOver);
  const { books, text } = found;
  const own = gateway.life();
  if (!books || text === undefined || !own) return undefined;
  const tasks = scheduler.pendingOf(own);
  return { books, metrics: readMetrics(text), tasks, grown: gateway.grown() };
}

function readMetrics(text: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [, name = '', value] of text.matchAll(/^(trivium_\w+)(?:\{.*\})? (\S+)$/gm)) {
    sums[name] = (sums[name] ?? 0) + Number(value);
  }
  // The request that asks for it.
  const running = 'trivium_requests_running';
  return { ...sums, [running]: Math.max(0, (sums[running] ?? 0) - 1) };
}
