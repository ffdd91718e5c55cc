// The pages of documentation, embedded by a build or on disk, read once at start.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFiles } from './built-files.ts';

interface DocFile {
  /** The file's name without .md, which is also its path under /docs. */
  name: string;
  markdown: string;
}

const folder = join(import.meta.dir, '..', '..', '..', 'docs');

/** Empty when the gateway is installed without its documentation. */
export function readDocs(from?: string): DocFile[] {
  return from === undefined && builtFiles ? [...builtFiles.docs] : readFolder(from ?? folder);
}

function readFolder(from: string): DocFile[] {
  if (!existsSync(from)) return [];
  return readdirSync(from)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.md'.length),
      markdown: readFileSync(join(from, file), 'utf8'),
    }));
}
