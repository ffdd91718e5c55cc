// Compose, Helm and Caddy, where they are installed, or built before by `npm test -- --suite deploy`:
// building them takes too long for every run of the tests.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/command.ts';
import { runToEnd } from '../run-to-end.ts';

const built = join(projectRoot, 'node_modules', '.cache', 'deploy-tools');
const advice = 'run npm test -- --suite deploy';

type Found = { command: string[] } | { missing: string };

export async function findCompose(): Promise<Found> {
  const docker = Bun.which('docker');
  if (docker !== null) {
    const asked = await runToEnd([docker, 'compose', 'version'], { env: process.env });
    if (asked.code === 0) return { command: [docker, 'compose'] };
  }
  return find('docker-compose', 'install Docker Compose');
}

export function findHelm(): Found {
  return find('helm', 'install Helm 3.14 or newer');
}

export function findCaddy(): Found {
  return find('caddy', 'install Caddy 2');
}

function find(program: string, install: string): Found {
  const own = join(built, program);
  const found = existsSync(own) ? own : Bun.which(program);
  return found === null ? { missing: `${install}, or ${advice}` } : { command: [found] };
}

const modules = [
  { program: 'helm', module: 'helm.sh/helm/v3@v3.22.0', package: './cmd/helm' },
  { program: 'caddy', module: 'github.com/caddyserver/caddy/v2@v2.11.7', package: './cmd/caddy' },
  // Newer versions need a module that the registry does not have.
  { program: 'docker-compose', module: 'github.com/docker/compose/v2@v2.40.3', package: './cmd' },
];

/** Builds what is missing from its Go module; `say` gets a line for each. */
export async function buildTools(say: (line: string) => void): Promise<void> {
  if (Bun.which('go') === null) throw new Error('Install Go 1.24 or newer.');
  await mkdir(built, { recursive: true });
  for (const { program, module, package: place } of modules) {
    const out = join(built, program);
    if (existsSync(out)) continue;
    say(`building ${module}, which takes minutes`);
    const downloaded = await go(['mod', 'download', '-json', module], projectRoot);
    const { Dir } = JSON.parse(downloaded) as { Dir: string };
    const sources = await mkdtemp(join(tmpdir(), 'trivium-go-'));
    try {
      // Some modules cannot be installed by name, and the downloaded folder is read-only.
      await cp(Dir, sources, { recursive: true });
      await runToEnd(['chmod', '-R', 'u+w', sources], { env: process.env });
      await go(['build', '-o', out, place], sources);
    } finally {
      await rm(sources, { recursive: true, force: true });
    }
  }
}

async function go(args: readonly string[], cwd: string): Promise<string> {
  const { code, out, err } = await runToEnd(['go', ...args], { cwd, env: process.env });
  if (code !== 0) throw new Error(`go ${args.join(' ')} ended with ${code}:\n${out}${err}`);
  return out;
}
