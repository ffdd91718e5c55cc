// The import rules of ARCHITECTURE.md: which module may import which, so that a request travels one
// way and a capability can be read on its own. Which file of a module: `module-apis.ts`.
import { findImports, type Import } from './imports.ts';
import { isTest, type SourceFile } from './source.ts';

interface Module {
  name: string;
  path: RegExp;
  /** Paths of this project that it may import, besides its own folder. */
  mayImport: RegExp[];
  /** npm packages it may import; undefined means any. */
  packages?: string[];
  /** Whether it may import `node:` and `bun`. */
  runtime: boolean;
  /** What to do instead of a forbidden import. */
  advice: string;
}

/** What every workspace may use: the contract, and algorithms on plain values. */
const contract = /^(?:contract|shared)\//;
const workspaces = [
  'contract/',
  'shared/',
  'server/',
  'sandbox/',
  'sdk/',
  'cli/',
  'dashboard/',
  'docs/',
];
const src = 'server/src/';
const inServer = (...folders: string[]) => new RegExp(`^${src}(?:${folders.join('|')})/`);
/** The pure part of any capability. */
const cores = new RegExp(`^${src}\\w+/core/`);
const foundation = inServer('store', 'settings', 'platform');
const pure = inServer('negotiation', 'providers');
/** Mechanisms that touch nothing but their arguments. */
const purePlatform = new RegExp(`^${src}platform/(?:backoff|bounded-map)\\.ts$`);

/** The first entry whose path matches applies. */
const modules: Module[] = [
  {
    name: 'contract',
    path: /^contract\//,
    // The version of the project is stated there.
    mayImport: [/^package\.json$/],
    packages: ['zod'],
    runtime: false,
    advice:
      'The contract is data for every workspace: move what is needed into it, or keep it out.',
  },
  {
    name: 'shared',
    path: /^shared\//,
    mayImport: [],
    packages: [],
    runtime: false,
    advice: 'An algorithm for several workspaces takes plain values and knows nothing of ours.',
  },
  {
    name: 'a core',
    path: cores,
    mayImport: [contract, cores, pure, purePlatform],
    packages: ['zod'],
    runtime: false,
    advice: 'A core is pure: let a verb of the capability fetch the value and pass it in.',
  },
  {
    name: 'negotiation',
    path: inServer('negotiation'),
    mayImport: [contract, cores],
    packages: ['zod'],
    runtime: false,
    advice: 'Negotiation is pure: take the value as an argument.',
  },
  {
    name: 'providers',
    path: inServer('providers'),
    mayImport: [contract, cores, inServer('negotiation')],
    packages: ['zod'],
    runtime: false,
    advice: 'An adapter is data and pure functions: what vendors share is in providers/shared.',
  },
  {
    name: 'platform',
    path: inServer('platform'),
    mayImport: [contract],
    runtime: true,
    advice: 'The platform knows nothing about the product: take what it needs as an argument.',
  },
  {
    name: 'settings',
    path: inServer('settings'),
    mayImport: [contract, inServer('platform')],
    runtime: true,
    advice: 'Settings are read before anything else: let a module interpret them.',
  },
  {
    name: 'store',
    path: inServer('store'),
    mayImport: [contract, inServer('settings', 'platform')],
    runtime: true,
    advice: 'The store knows no capability: let the capability call it.',
  },
  {
    name: 'SQL over the tables of modules below',
    path: new RegExp(`^${src}(?:accounts|billing|transcription)/store/`),
    mayImport: [
      ...[contract, cores, foundation, inServer('negotiation')],
      new RegExp(`^${src}(?:billing|requests)/index\\.ts$`),
    ],
    packages: ['zod'],
    runtime: false,
    advice: 'SQL files run statements: let a verb decide.',
  },
  {
    name: 'SQL of a capability',
    path: new RegExp(`^${src}\\w+/store/`),
    mayImport: [contract, cores, foundation, inServer('negotiation')],
    packages: ['zod'],
    runtime: false,
    advice: 'SQL files run statements: let a verb decide.',
  },
  {
    name: 'I/O of a capability',
    path: new RegExp(`^${src}(?:events/post-webhook|uploads/file-\\w+)\\.ts$`),
    mayImport: [contract, inServer('settings', 'platform')],
    packages: ['aws4fetch'],
    runtime: true,
    advice: 'It reads and writes what it is given: let a verb decide.',
  },
  {
    name: 'audit',
    path: inServer('audit'),
    mayImport: [contract, cores, foundation],
    packages: [],
    runtime: false,
    advice: 'The audit log knows no capability: they call it in the transaction of a change.',
  },
  {
    name: 'events',
    path: inServer('events'),
    mayImport: [contract, cores, foundation, inServer('audit')],
    packages: [],
    runtime: false,
    advice: 'Every capability writes events, so events know only the audit log.',
  },
  {
    name: 'requests',
    path: inServer('requests'),
    mayImport: [contract, cores, foundation],
    packages: ['zod'],
    runtime: false,
    advice: 'Requests know no capability: the ledger writes their rows with its own.',
  },
  {
    name: 'billing',
    path: inServer('billing'),
    mayImport: [contract, cores, foundation, inServer('audit', 'events', 'requests')],
    packages: ['zod'],
    runtime: false,
    advice: 'Billing knows only requests, the audit log and events: other capabilities call it.',
  },
  {
    name: 'accounts',
    path: inServer('accounts'),
    mayImport: [contract, cores, foundation, inServer('audit', 'billing', 'requests', 'events')],
    packages: ['better-auth', 'zod'],
    runtime: false,
    advice: 'Accounts may call billing and nothing above it.',
  },
  {
    name: 'cache',
    path: inServer('cache'),
    mayImport: [contract, cores, foundation, inServer('audit', 'billing', 'requests')],
    packages: [],
    runtime: false,
    advice: 'The cache stores texts: what they mean belongs to the capability.',
  },
  {
    name: 'quality',
    path: inServer('quality'),
    mayImport: [contract, cores, foundation, inServer('billing', 'requests')],
    packages: [],
    runtime: false,
    advice: 'Quality counts what the capabilities observed: they call it.',
  },
  {
    name: 'reporting',
    path: inServer('reporting'),
    mayImport: [
      ...[contract, cores, foundation],
      inServer('billing', 'requests', 'accounts', 'transcription'),
    ],
    packages: [],
    runtime: false,
    advice: 'Reporting reads what the modules below offer.',
  },
  {
    name: 'upstream',
    path: inServer('upstream'),
    mayImport: [contract, cores, pure, inServer('settings', 'platform', 'billing', 'requests')],
    packages: [],
    runtime: false,
    advice: 'Upstream calls a provider; what the call is for belongs to the capability.',
  },
  {
    name: 'content',
    path: inServer('content'),
    mayImport: [contract, cores, inServer('platform', 'requests')],
    packages: ['gpt-tokenizer'],
    runtime: false,
    advice: 'Content checks texts; where they come from belongs to the capability.',
  },
  {
    name: 'uploads',
    path: inServer('uploads'),
    mayImport: [contract, cores, foundation, inServer('billing', 'requests')],
    packages: ['music-metadata', 'strtok3'],
    runtime: false,
    advice: 'Uploads keep files; what a file is for belongs to transcription.',
  },
  {
    name: 'transcription',
    path: inServer('transcription'),
    mayImport: [
      ...[contract, cores, pure, foundation],
      inServer('billing', 'requests', 'content', 'events', 'upstream', 'uploads'),
    ],
    packages: ['zod'],
    runtime: false,
    advice: 'Capabilities do not know HTTP or each other; a recording may be an upload.',
  },
  {
    name: 'a capability',
    path: inServer('search', 'extract'),
    mayImport: [
      contract,
      cores,
      pure,
      foundation,
      inServer('billing', 'requests', 'cache', 'content', 'quality', 'upstream'),
    ],
    packages: ['zod'],
    runtime: false,
    advice: 'Capabilities do not know each other or HTTP: share through upstream or billing.',
  },
  {
    name: 'http',
    path: inServer('http'),
    mayImport: [
      contract,
      inServer('search', 'extract', 'transcription', 'uploads', 'events', 'cache', 'audit'),
      inServer('billing', 'requests', 'accounts', 'reporting', 'upstream', 'quality'),
      inServer('settings', 'platform'),
      // The drop-in shape of Tavily's API spells countries as Tavily does.
      new RegExp(`^${src}providers/tavily/countries\\.ts$`),
      /^sdk\/src\/(?:index|mcp)\.ts$/,
    ],
    packages: ['zod', '@modelcontextprotocol/server'],
    runtime: false,
    advice: 'A route is thin: put the work into a verb of a capability and call that.',
  },
  {
    name: 'the command in a clone',
    path: /^cli\/bin\//,
    mayImport: [/^scripts\//],
    runtime: true,
    advice: 'It only finds Bun and starts the command line: put anything else into cli/src.',
  },
  {
    name: 'sdk',
    path: /^sdk\//,
    mayImport: [contract],
    runtime: true,
    advice: 'The client knows only the contract: put a shared shape there.',
  },
  {
    name: 'the command line',
    path: /^cli\//,
    mayImport: [contract, /^sdk\//],
    runtime: true,
    advice: 'The command line is a client: ask the gateway through its API.',
  },
  {
    name: 'dashboard',
    path: /^dashboard\//,
    mayImport: [contract, /^sdk\//],
    runtime: false,
    advice: 'The dashboard knows what any client knows: ask the gateway through its API.',
  },
  {
    name: 'docs',
    path: /^docs\//,
    // The colours and sizes of the dashboard, as a style sheet.
    mayImport: [contract, /^dashboard\/src\/tokens\.ts$/],
    runtime: true,
    advice: 'It renders pages and knows the API as data: put a shared shape into the contract.',
  },
  {
    name: 'sandbox',
    path: /^sandbox\//,
    mayImport: [],
    runtime: true,
    advice: 'An oracle must not share the code it checks: write the vendor side separately.',
  },
];

/** Lists every import that the rules forbid. */
export function checkImports(files: SourceFile[]): string[] {
  return files.flatMap((file) =>
    findImports(file).flatMap((found) => {
      const fault = checkImport(file.path, found);
      return fault === undefined ? [] : [`${file.path}:${found.line}: ${fault}`];
    }),
  );
}

function checkImport(path: string, found: Import): string | undefined {
  if (reachesIntoWorkspace(path, found)) {
    return `imports ${found.specifier} by its path; import another workspace by its name.`;
  }
  if (reachesIntoVendor(path, found)) {
    return `imports the vendor ${found.specifier}; adapters share only through providers/shared.`;
  }
  const module = modules.find((candidate) => candidate.path.test(path));
  if (module === undefined || allows(module, path, found)) return undefined;
  return `${module.name} may not import ${found.specifier}. ${module.advice}`;
}

/** Tests may use any package and, inside the server, any module; the workspaces stay apart. */
function allows(module: Module, path: string, found: Import): boolean {
  const free = isTest(path);
  if (found.kind === 'runtime') return module.runtime || free;
  if (found.kind === 'package') return free || (module.packages?.includes(found.target) ?? true);
  if (folderOf(found.target) === folderOf(path)) return true;
  if (found.target.startsWith(`${folderOf(path)}store/`)) return true;
  if (free && path.startsWith('server/')) return true;
  return module.mayImport.some((allowed) => allowed.test(found.target));
}

/** The workspace, or the folder of a module in the server with its `core` or `store` apart. */
function folderOf(path: string): string {
  const [folder] = /^(?:server\/src\/\w+\/(?:core\/|store\/)?|cli\/bin\/|\w+\/)/.exec(path) ?? [];
  return folder ?? path;
}

function reachesIntoWorkspace(path: string, found: Import): boolean {
  if (found.kind !== 'ours' || !found.specifier.startsWith('.')) return false;
  const home = workspaces.find((workspace) => path.startsWith(workspace));
  const there = workspaces.find((workspace) => found.target.startsWith(workspace));
  return home !== undefined && there !== undefined && home !== there;
}

const vendorFolder = /^server\/src\/providers\/(?!shared\/)(\w+)\//;

function reachesIntoVendor(path: string, found: Import): boolean {
  const [, there] = vendorFolder.exec(found.target) ?? [];
  const [, home] = vendorFolder.exec(path) ?? [];
  return home !== undefined && there !== undefined && home !== there;
}
