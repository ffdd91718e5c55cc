// The results as a page: a table of what was measured, the ratios that matter, machine and date.
import { cpus, totalmem } from 'node:os';
import type { Measured } from './load.ts';

export interface Line extends Measured {
  name: string;
  connections: number;
  cpu_us: number | undefined;
  memory_mb: number | undefined;
}

export const direct_name = 'nothing in between';

export function writeReport(lines: readonly Line[], memory: readonly string[], now: Date): string {
  const rows = lines.map((line) => {
    const base = find(lines, direct_name, line.connections);
    const added = (own: number, bare: number | undefined) => ms(own - (bare ?? 0));
    return [
      line.name,
      String(line.connections),
      Math.round(line.per_second).toLocaleString('en'),
      ms(line.p50_ms),
      ms(line.p99_ms),
      line.name === direct_name ? '-' : added(line.p50_ms, base?.p50_ms),
      line.name === direct_name ? '-' : added(line.p99_ms, base?.p99_ms),
      line.cpu_us === undefined ? '-' : line.cpu_us.toFixed(0),
      line.memory_mb === undefined ? '-' : line.memory_mb.toFixed(0),
      String(line.failures),
    ];
  });
  const head = [
    ...['in between', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'added p50', 'added p99'],
    ...['CPU us/request', 'memory MB', 'failures'],
  ];
  const [cpu] = cpus();
  const memory_gb = Math.round(totalmem() / 2 ** 30);
  return `# Overhead, beside peers in one run

Made by \`npm run bench\` on ${now.toISOString().slice(0, 10)}: ${cpus().length} cores of
${cpu?.model.trim() ?? 'an unknown processor'}, ${memory_gb} GB, Bun ${Bun.version}.
The load generator and the provider run on the same machine and share its cores with what is
measured, so figures are comparable within one run and not between machines. Trivium has everything
on: authentication, hold and settle on disk, request log, metrics.

${table(head, rows)}

${ratios(lines).join('\n')}

${memory.join('\n')}
`;
}

/** The targets, each with what was found. */
function ratios(lines: readonly Line[]): string[] {
  const trivium = find(lines, 'Trivium, SQLite', 32);
  const portkey = find(lines, 'Portkey gateway', 32);
  const nginx = find(lines, 'nginx, bare proxy', 32);
  const bare = find(lines, direct_name, 32);
  const alone = find(lines, 'Trivium, SQLite', 1);
  const bare_alone = find(lines, direct_name, 1);
  const found: string[] = [];
  if (trivium && portkey && bare) {
    const [own, theirs] = [trivium.p99_ms - bare.p99_ms, portkey.p99_ms - bare.p99_ms];
    found.push(
      `- requests/s at 32 connections: ${times(trivium.per_second, portkey.per_second)} Portkey ` +
        '(target: 5 times)',
      `- added p99 at 32 connections: ${times(own, theirs)} Portkey (target: at most 0.33 times)`,
    );
  } else found.push('- Portkey was not measured.');
  if (trivium && nginx) {
    const ratio = times(trivium.per_second, nginx.per_second);
    found.push(`- requests/s at 32 connections: ${ratio} nginx (target: 0.25 times)`);
  } else found.push('- nginx is not installed here, so it was not measured.');
  if (alone && bare_alone) {
    const added = ms(alone.p50_ms - bare_alone.p50_ms);
    found.push(`- added p50 at 1 connection on SQLite: ${added} ms (target: at most 0.5 ms)`);
  }
  return found;
}

function find(lines: readonly Line[], name: string, connections: number): Line | undefined {
  return lines.find((line) => line.name === name && line.connections === connections);
}

function times(one: number, other: number): string {
  return `${(one / other).toFixed(2)} times`;
}

function ms(value: number): string {
  return value.toFixed(2);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
