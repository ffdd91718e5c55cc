// The recorded conversations with each vendor, from `providers/<vendor>/fixtures/`. Tests name them
// `<vendor>.<product>.<case>.json`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProviderId, typedName } from '@trivium/contract';
import { Glob } from 'bun';
import { compactJson } from './compact-json.ts';
import type { Fixture } from './play.ts';

const folder = join(import.meta.dir, '../src/providers');

/** The folder of a vendor: `You.com` is in `you`. */
export function vendorFolder(id: ProviderId): string {
  return join(folder, typedName(id));
}

/** The names of all fixtures that begin with a vendor's name and a product's, if given. */
export function fixtureNames(beginning = ''): string[] {
  return [...new Glob('*/fixtures/*.json').scanSync({ cwd: folder })]
    .map((path) => path.replaceAll('\\', '/').replace('/fixtures/', '.'))
    .filter((name) => name.startsWith(beginning))
    .sort();
}

export function readFixture(name: string): Fixture {
  return JSON.parse(readFileSync(fixturePath(name), 'utf8')) as Fixture;
}

export function writeFixture(name: string, fixture: object): void {
  writeFileSync(fixturePath(name), compactJson(fixture));
}

function fixturePath(name: string): string {
  const end = name.indexOf('.');
  return join(folder, name.slice(0, end), 'fixtures', name.slice(end + 1));
}
