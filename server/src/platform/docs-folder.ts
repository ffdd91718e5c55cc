// The pages of documentation as they lie on disk, read once at start.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DocFile {
  /** The file's name without .md, which is also its address under /docs. */
  name: string;
  markdown: string;
}

const folder = join(import.meta.dir, '..', '..', '..', 'docs');

/** Answers nothing when the gateway was installed without its documentation. */
export function readDocs(from = folder): DocFile[] {
  if (!existsSync(from)) return [];
  return readdirSync(from)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.md'.length),
      markdown: readFileSync(join(from, file), 'utf8'),
    }));
}
