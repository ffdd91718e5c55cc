// Prints the bill of materials of the runtime as CycloneDX JSON, from the lock file. `npm sbom
// --omit dev` omits packages that a development dependency needs as well.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  /** Needed only by development dependencies. */
  dev?: boolean;
  /** Points to a workspace. */
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export type Packages = Readonly<Record<string, Locked>>;

export interface Component {
  type: 'application' | 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses: object[];
  hashes?: { alg: string; content: string }[];
}

export interface Bill {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  version: 1;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const lockFile = join(import.meta.dir, '..', 'package-lock.json');
const folderOfPackages = 'node_modules/';

export function readPackages(): Packages {
  return (JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Packages }).packages;
}

export function billOf(packages: Packages): Bill {
  const running = Object.entries(packages).filter(([, { dev, link }]) => !dev && !link);
  const components = new Map<string, Component>();
  const needs = new Map<string, Set<string>>();
  for (const [path, locked] of running) {
    const component = describe(path, locked);
    const ref = component['bom-ref'];
    components.set(ref, component);
    const known = needs.get(ref) ?? new Set();
    for (const needed of neededBy(packages, path, locked)) known.add(needed);
    needs.set(ref, known);
  }
  const [root, ...others] = components.values();
  if (!root) throw new Error('package-lock.json lists no package.');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...root, type: 'application' } },
    components: others,
    dependencies: [...needs].map(([ref, on]) => ({ ref, dependsOn: [...on].toSorted() })),
  };
}

function describe(path: string, { name, version = '', license, integrity }: Locked): Component {
  const full = name ?? path.slice(path.lastIndexOf(folderOfPackages) + folderOfPackages.length);
  const purl = `pkg:npm/${full.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name: full,
    version,
    purl,
    licenses: license === undefined ? [] : [licenseOf(license)],
    ...(integrity === undefined ? {} : { hashes: integrity.split(' ').map(hashOf) }),
  };
}

function licenseOf(text: string): object {
  return /\s/.test(text) ? { expression: text } : { license: { id: text } };
}

/** From `sha512-<base64>`. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [name = '', digest = ''] = integrity.split(/-(.*)/s);
  const alg = name.toUpperCase().replace('SHA', 'SHA-');
  return { alg, content: Buffer.from(digest, 'base64').toString('hex') };
}

function neededBy(packages: Packages, path: string, locked: Locked): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = locked;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.flatMap((name) => {
    const found = resolve(packages, path, name);
    // An optional or development-only peer may be missing.
    return found === undefined || found[1].dev ? [] : [describe(...found)['bom-ref']];
  });
}

/** Resolves a package as Node.js does: beside its dependent, then in the folders above. */
function resolve(packages: Packages, from: string, name: string): [string, Locked] | undefined {
  for (let at = from; ; at = at.replace(/(?:^|\/)[^/]+$/, '')) {
    const path = at === '' ? folderOfPackages + name : `${at}/${folderOfPackages}${name}`;
    const found = packages[path];
    if (found?.link) return linked(packages, name);
    if (found) return [path, found];
    if (at === '') return undefined;
  }
}

function linked(packages: Packages, name: string): [string, Locked] | undefined {
  return Object.entries(packages).find(([, locked]) => locked.name === name);
}

if (import.meta.main) {
  process.stdout.write(`${JSON.stringify(billOf(readPackages()), undefined, 2)}\n`);
}
