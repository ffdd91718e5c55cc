// The results as a page: a table of what was measured, the ratios that matter, machine and date.
import { cpus, totalmem } from 'node:os';
import type { Measured } from './load.ts';

export interface Line extends Measured {
  name: string;
  connections: number;
  /** Lines of one round were measured within seconds of each other. */
  round: number;
  cpu_us: number | undefined;
  memory_mb: number | undefined;
}

export const direct_name = 'nothing in between';

export function writeReport(
  lines: readonly Line[],
  memory: string,
  sync_ms: number,
  now: Date,
): string {
  const places = new Map(lines.map((line) => [`${line.name} ${line.connections}`, line]));
  const rows = [...places.values()]
    .toSorted((one, other) => rankOf(lines, one) - rankOf(lines, other))
    .map(({ name, connections }) => rowOf(lines, name, connections));
  const head = [
    ...['in between', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'added p50', 'added p99'],
    ...['CPU us/request', 'memory MB', 'failures'],
  ];
  const [cpu] = cpus();
  const memory_gb = Math.round(totalmem() / 2 ** 30);
  const rounds = Math.max(...lines.map(({ round }) => round));
  return `# Overhead, beside peers in one run

Made by \`npm run bench\` on ${now.toISOString().slice(0, 10)}: ${cpus().length} cores of
${cpu?.model.trim() ?? 'an unknown processor'}, ${memory_gb} GB, Bun ${Bun.version}.
The load generator and the provider run on the same machine and share its cores with what is
measured, so figures are comparable within one run and not between machines. Trivium has everything
on: authentication, hold, settle on disk, request log, metrics. Everyone is measured once in each
of ${rounds} rounds; a figure is the median of its rounds, and a ratio the median of the ratios.

${table(head, rows)}

${ratios(lines).join('\n')}

${bounds(lines, sync_ms).join('\n')}

${memory}
`;
}

/** By contestant as they were invited, then by connections. */
function rankOf(lines: readonly Line[], { name, connections }: Line): number {
  return lines.findIndex((line) => line.name === name) * 1000 + connections;
}

function rowOf(lines: readonly Line[], name: string, connections: number): string[] {
  const own = lines.filter((line) => line.name === name && line.connections === connections);
  const middle = (pick: (line: Line) => number | undefined) =>
    median(own.flatMap((line) => pick(line) ?? []));
  const added = (pick: (line: Line) => number) =>
    name === direct_name
      ? undefined
      : perRound(lines, connections, [name, direct_name], subtract, pick);
  return [
    name,
    String(connections),
    Math.round(middle((line) => line.per_second) ?? NaN).toLocaleString('en'),
    ms(middle((line) => line.p50_ms)),
    ms(middle((line) => line.p99_ms)),
    ms(added((line) => line.p50_ms)),
    ms(added((line) => line.p99_ms)),
    middle((line) => line.cpu_us)?.toFixed(0) ?? '-',
    middle((line) => line.memory_mb)?.toFixed(0) ?? '-',
    String(own.reduce((sum, { failures }) => sum + failures, 0)),
  ];
}

/** The targets, each with what was found. */
function ratios(lines: readonly Line[]): string[] {
  const [own, portkey, nginx] = [
    'Trivium, SQLite',
    'Portkey gateway',
    'nginx, bare proxy',
  ] as const;
  const rate = ({ per_second }: Line) => per_second;
  const rateTo = (other: string) => perRound(lines, 32, [own, other], divide, rate);
  const added_p50 = perRound(lines, 1, [own, direct_name], subtract, ({ p50_ms }) => p50_ms);
  const added_p99 = (name: string) =>
    perRound(lines, 32, [name, direct_name], subtract, ({ p99_ms }) => p99_ms) ?? NaN;
  const [to_portkey, to_nginx] = [rateTo(portkey), rateTo(nginx)];
  return [
    ...(to_portkey === undefined
      ? ['- Portkey was not measured.']
      : [
          `- requests/s at 32 connections: ${times(to_portkey)} Portkey (target: 5 times)`,
          `- added p99 at 32 connections: ${times(added_p99(own) / added_p99(portkey))} Portkey ` +
            '(target: at most 0.33 times)',
        ]),
    to_nginx === undefined
      ? '- nginx is not installed here, so it was not measured.'
      : `- requests/s at 32 connections: ${times(to_nginx)} nginx (target: 0.25 times)`,
    `- added p50 at 1 connection on SQLite: ${ms(added_p50)} ms (target: at most 0.5 ms)`,
  ];
}

/** What nobody on this machine and this runtime gets below. */
function bounds(lines: readonly Line[], sync_ms: number): string[] {
  const proxy = 'Bun, bare proxy';
  const rate = ({ per_second }: Line) => per_second;
  const to_nginx = perRound(lines, 32, [proxy, 'nginx, bare proxy'], divide, rate);
  const added = perRound(lines, 1, [proxy, direct_name], subtract, ({ p50_ms }) => p50_ms);
  return [
    ...(to_nginx === undefined
      ? []
      : [`- a bare proxy on Bun: ${times(to_nginx)} nginx at 32 connections`]),
    `- a bare proxy on Bun adds ${ms(added)} ms to the p50 at 1 connection`,
    `- a page synced to this disk, as every paid answer needs: ${ms(sync_ms)} ms`,
  ];
}

const subtract = (one: number, other: number) => one - other;
const divide = (one: number, other: number) => one / other;

/** Two contestants compared in each round, and the median of that. */
function perRound(
  lines: readonly Line[],
  connections: number,
  [one, other]: readonly [string, string],
  compare: (one: number, other: number) => number,
  pick: (line: Line) => number,
): number | undefined {
  const at = lines.filter((line) => line.connections === connections);
  return median(
    at.flatMap((line) => {
      if (line.name !== one) return [];
      const beside = at.find(({ name, round }) => name === other && round === line.round);
      return beside ? [compare(pick(line), pick(beside))] : [];
    }),
  );
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} times`;
}

function ms(value: number | undefined): string {
  return value?.toFixed(2) ?? '-';
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
