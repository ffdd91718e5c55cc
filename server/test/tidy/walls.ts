// The import table of the house: which room may know which, so that a request travels one way.
import { findImports, type Import } from './imports.ts';
import { isTest, type SourceFile } from './source.ts';

interface Room {
  name: string;
  path: string;
  /** Paths of our own it may import besides itself. */
  ours: string[];
  /** npm packages it may import; undefined means any. */
  packages?: string[];
  /** Whether it may import `node:` and `bun`. */
  runtime: boolean;
  instead: string;
}

const CONTRACT = 'contract/';
const DOMAIN = 'server/src/domain/';
const PROVIDERS = 'server/src/providers/';
const PLATFORM = 'server/src/platform/';
const STORE = 'server/src/store/';
const SERVICES = 'server/src/services/';
const COMPAT = 'server/src/compat/';
const WORKSPACES = ['contract/', 'server/', 'sandbox/', 'sdk/', 'dashboard/'];

const ROOMS: Room[] = [
  {
    name: 'contract',
    path: CONTRACT,
    ours: [],
    packages: ['zod'],
    runtime: false,
    instead: 'The contract is data everyone reads: move what is needed into it, or keep it out.',
  },
  {
    name: 'domain',
    path: DOMAIN,
    ours: [CONTRACT],
    packages: [],
    runtime: false,
    instead: 'The domain is pure: let a service fetch the value and pass it in.',
  },
  {
    name: 'providers',
    path: PROVIDERS,
    ours: [CONTRACT, DOMAIN],
    packages: ['zod'],
    runtime: false,
    instead: 'An adapter is data and pure functions: what all vendors need belongs to the domain.',
  },
  {
    name: 'platform',
    path: PLATFORM,
    ours: [CONTRACT],
    runtime: true,
    instead: 'A device knows nothing of the business: take what it needs as an argument.',
  },
  {
    name: 'store',
    path: STORE,
    ours: [CONTRACT, DOMAIN, PLATFORM],
    packages: [],
    runtime: false,
    instead: 'The store is SQL: let a service decide, and the platform touch the machine.',
  },
  {
    name: 'services',
    path: SERVICES,
    ours: [CONTRACT, DOMAIN, PROVIDERS, PLATFORM, STORE],
    packages: ['zod', '@opentelemetry/api', 'better-auth'],
    runtime: false,
    instead: 'A service speaks neither HTTP nor machine: ask for a device in platform.',
  },
  {
    name: 'compat',
    path: COMPAT,
    ours: [CONTRACT, `${PROVIDERS}tavily-countries.ts`],
    packages: ['zod'],
    runtime: false,
    instead: 'A shape only translates bodies: the route passes them on.',
  },
  {
    name: 'http',
    path: 'server/src/http/',
    ours: [
      CONTRACT,
      COMPAT,
      SERVICES,
      `${PLATFORM}log.ts`,
      `${PLATFORM}decoding.ts`,
      'sdk/src/index.ts',
      'sdk/src/mcp.ts',
    ],
    packages: ['hono', 'zod', 'marked', '@modelcontextprotocol/server'],
    runtime: false,
    instead: 'A route is thin: put the work into a service and call that.',
  },
  {
    name: 'the command in a clone',
    path: 'sdk/bin/',
    ours: ['scripts/'],
    runtime: true,
    instead: 'It only finds Bun and starts the command line: put anything else into sdk/src/cli.',
  },
  {
    name: 'sdk',
    path: 'sdk/',
    ours: [CONTRACT],
    runtime: true,
    instead: 'The client knows only the contract: put a shared shape there.',
  },
  {
    name: 'dashboard',
    path: 'dashboard/',
    ours: [CONTRACT, 'sdk/'],
    runtime: false,
    instead: 'The dashboard knows what any client knows: ask the gateway through its API.',
  },
  {
    name: 'sandbox',
    path: 'sandbox/',
    ours: [],
    runtime: true,
    instead: 'A judge must not share the code it judges: write the vendor side anew.',
  },
];

/** Lists every import that goes through a wall. */
export function checkWalls(files: SourceFile[]): string[] {
  const vendors = findVendors(files);
  return files.flatMap((file) =>
    findImports(file).flatMap((found) => {
      const fault = judge(file.path, found, vendors);
      return fault === undefined ? [] : [`${file.path}:${found.line}: ${fault}`];
    }),
  );
}

function judge(path: string, found: Import, vendors: Set<string>): string | undefined {
  if (reachesIntoWorkspace(path, found)) {
    return `imports ${found.specifier} by its path; import another workspace by its name.`;
  }
  if (vendors.has(found.target) && isAdapter(path)) {
    return `imports the vendor ${found.specifier}; adapters stand alone, share through the domain.`;
  }
  const room = ROOMS.find((candidate) => path.startsWith(candidate.path));
  if (room === undefined || allows(room, path, found)) return undefined;
  const allowed = [...room.ours.map(shortName), ...(room.packages ?? ['npm packages'])];
  const list = allowed.length === 0 ? 'nothing but itself' : allowed.join(', ');
  return `${room.name} may import ${list}, not ${found.specifier}. ${room.instead}`;
}

function shortName(path: string): string {
  return path.replace('server/src/', '').replace(/\/$/, '');
}

// Tests may use any tool and, inside the server, any floor; the walls of a workspace hold for them.
function allows(room: Room, path: string, found: Import): boolean {
  const free = isTest(path);
  if (found.kind === 'runtime') return room.runtime || free;
  if (found.kind === 'package') return free || (room.packages?.includes(found.target) ?? true);
  if (found.target.startsWith(room.path)) return true;
  if (free && path.startsWith('server/')) return true;
  return room.ours.some((prefix) => found.target.startsWith(prefix));
}

function reachesIntoWorkspace(path: string, found: Import): boolean {
  if (found.kind !== 'ours' || !found.specifier.startsWith('.')) return false;
  const home = WORKSPACES.find((workspace) => path.startsWith(workspace));
  const there = WORKSPACES.find((workspace) => found.target.startsWith(workspace));
  return home !== undefined && there !== undefined && home !== there;
}

// A vendor is what the registry lists; the port it shares with them is not one.
function findVendors(files: SourceFile[]): Set<string> {
  const registry = files.find((file) => file.path === `${PROVIDERS}index.ts`);
  const targets = registry === undefined ? [] : findImports(registry).map((found) => found.target);
  const isVendor = (target: string) =>
    target.startsWith(PROVIDERS) && target !== `${PROVIDERS}provider.ts`;
  return new Set(targets.filter(isVendor));
}

function isAdapter(path: string): boolean {
  return path.startsWith(PROVIDERS) && path !== `${PROVIDERS}index.ts` && !isTest(path);
}
