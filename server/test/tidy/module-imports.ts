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
  packages: string[] | undefined;
  /** Whether it may import `node:` and `bun`. */
  runtime: boolean;
  /** What to do instead of a forbidden import. */
  advice: string;
}

const workspaces = ['contract', 'shared', 'server', 'sandbox', 'sdk', 'cli', 'dashboard', 'docs'];

/**
 * A module, what it may import, and what to do instead: modules of the server and other paths, then
 * npm packages, where `any` means all and `runtime` means `node:` and `bun`. The first line that
 * fits a path applies. A workspace, and what is not in the server, is written as a path.
 */
const modules = readRules(`
contract/: /package.json + zod
  The contract is data for every workspace: move what is needed into it, or keep it out.
shared/:
  An algorithm for several workspaces takes plain values and knows nothing of ours.
*/core: contract cores negotiation providers platform/backoff.ts platform/bounded-map.ts + zod
  A core is pure: let a verb of the capability fetch the value and pass it in.
negotiation: contract cores + zod
  Negotiation is pure: take the value as an argument.
providers: contract cores negotiation + zod
  An adapter is data and pure functions: what vendors share is in providers/shared.
platform: contract + any runtime
  The platform knows nothing about the product: take what it needs as an argument.
settings: contract platform + any runtime
  Settings are read before anything else: let a module interpret them.
store: contract settings platform + any runtime
  The store knows no capability: let the capability call it.
(accounts|billing|transcription)/store: \
contract cores foundation negotiation billing/index.ts requests/index.ts + zod
  SQL files run statements: let a verb decide.
*/store: contract cores foundation negotiation + zod
  SQL files run statements: let a verb decide.
(events/post-webhook|uploads/file-*).ts: contract settings platform + aws4fetch runtime
  It reads and writes what it is given: let a verb decide.
audit: contract cores foundation
  The audit log knows no capability: they call it in the transaction of a change.
events: contract cores foundation audit
  Every capability writes events, so events know only the audit log.
requests: contract cores foundation audit + zod
  Requests know no capability but the audit log: the ledger writes their rows with its own.
billing: contract cores foundation audit events requests + zod
  Billing knows only requests, the audit log and events: other capabilities call it.
accounts: contract cores foundation audit billing requests events + better-auth zod
  Accounts may call billing and nothing above it.
cache: contract cores foundation audit billing requests
  The cache stores texts: what they mean belongs to the capability.
quality: contract cores foundation billing requests
  Quality counts what the capabilities observed: they call it.
incidents: contract cores foundation audit billing requests events
  Incidents are noted through functions in the contexts of other modules: add one there.
reporting: contract cores foundation billing requests accounts transcription
  Reporting reads what the modules below offer.
upstream: contract cores negotiation providers settings platform billing requests
  Upstream calls a provider; what the call is for belongs to the capability.
content: contract cores platform requests + gpt-tokenizer
  Content checks texts; where they come from belongs to the capability.
uploads: contract cores foundation billing requests + music-metadata strtok3
  Uploads keep files; what a file is for belongs to transcription.
transcription: contract cores negotiation providers foundation \
billing requests content events upstream uploads + zod
  Capabilities do not know HTTP or each other; a recording may be an upload.
(search|extract): contract cores negotiation providers foundation \
billing requests cache content quality upstream + zod
  Capabilities do not know each other or HTTP: share through upstream or billing.
http: contract search extract transcription uploads events cache audit billing requests accounts \
reporting upstream quality settings platform /sdk/src/(index|mcp).ts \
providers/tavily/countries.ts + zod @modelcontextprotocol/server
  A route is thin: put the work into a verb of a capability and call that.
cli/bin/: /scripts/ + any runtime
  It only finds Bun and starts the command line: put anything else into cli/src.
sdk/: contract + any runtime
  The client knows only the contract: put a shared shape there.
cli/: contract /sdk/ + any runtime
  The command line is a client: ask the gateway through its API.
dashboard/: contract /sdk/ + any
  The dashboard knows what any client knows: ask the gateway through its API.
docs/: contract /dashboard/src/tokens.ts + any runtime
  It renders pages and knows the API as data: put a shared shape into the contract.
sandbox/: + any runtime
  An oracle must not share the code it checks: write the vendor side separately.
`);

function readRules(text: string): Module[] {
  const rules = text
    .replaceAll('\\\n', '')
    .trim()
    .matchAll(/^(\S+):(.*)\n {2}(.*)$/gm);
  return [...rules].map(([, name = '', allowed = '', advice = '']) => {
    const [paths = '', packages = ''] = allowed.split('+');
    const words: string[] = packages.match(/\S+/g) ?? [];
    return {
      ...{ name, path: pathOf(name.endsWith('/') ? `/${name}` : name), advice },
      mayImport: (paths.match(/\S+/g) ?? []).map(pathOf),
      packages: words.includes('any') ? undefined : words,
      runtime: words.includes('runtime'),
    };
  });
}

/** Of a word in the rules: a path of the project after a slash, or else one of the server. */
function pathOf(word: string): RegExp {
  // What every workspace may use: the contract, and algorithms on plain values.
  if (word === 'contract') return /^(?:contract|shared)\//;
  if (word === 'cores') return pathOf('*/core');
  if (word === 'foundation') return pathOf('(store|settings|platform)');
  const pattern = word.replaceAll('.', '\\.').replaceAll('*', '[\\w-]+');
  if (word.startsWith('/')) return new RegExp(`^${pattern.slice(1)}`);
  return new RegExp(`^server/src/${pattern}${word.endsWith('.ts') ? '$' : '/'}`);
}

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

/**
 * Tests may use any package, name the requirement that they prove and, inside the server, use any
 * module; the workspaces stay apart.
 */
function allows(module: Module, path: string, found: Import): boolean {
  const free = isTest(path);
  if (found.kind === 'runtime') return module.runtime || free;
  if (found.kind === 'package') return free || (module.packages?.includes(found.target) ?? true);
  if (folderOf(found.target) === folderOf(path)) return true;
  if (found.target.startsWith(`${folderOf(path)}store/`)) return true;
  if (free && (path.startsWith('server/') || found.target === 'e2e/proves.ts')) return true;
  return module.mayImport.some((allowed) => allowed.test(found.target));
}

/** The workspace, or the folder of a module in the server with its `core` or `store` apart. */
function folderOf(path: string): string {
  const [folder] = /^(?:server\/src\/\w+\/(?:core\/|store\/)?|cli\/bin\/|\w+\/)/.exec(path) ?? [];
  return folder ?? path;
}

function reachesIntoWorkspace(path: string, found: Import): boolean {
  if (found.kind !== 'ours' || !found.specifier.startsWith('.')) return false;
  const home = workspaces.find((workspace) => path.startsWith(`${workspace}/`));
  const there = workspaces.find((workspace) => found.target.startsWith(`${workspace}/`));
  return home !== undefined && there !== undefined && home !== there;
}

const vendorFolder = /^server\/src\/providers\/(?!shared\/)(\w+)\//;

function reachesIntoVendor(path: string, found: Import): boolean {
  const [, there] = vendorFolder.exec(found.target) ?? [];
  const [, home] = vendorFolder.exec(path) ?? [];
  return home !== undefined && there !== undefined && home !== there;
}
