// Documents that explain the source name files and folders; a path that does not exist misleads.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './source.ts';

const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'];
const citation =
  /`((?:contract|shared|server|sandbox|sdk|dashboard|e2e|bench|docs|deploy|scripts)\/[^`\s]*)`/g;
/** A pattern or a placeholder means many paths. */
const isPattern = /[<>*{}]/;

/** Lists every path that a document cites and that does not exist. */
export function checkCitedPaths(root = projectRoot, names = documents): string[] {
  return names.flatMap((name) => {
    const text = readFileSync(join(root, name), 'utf8');
    return [...text.matchAll(citation)]
      .map(([, path = '']) => path)
      .filter((path) => !isPattern.test(path) && !existsSync(join(root, path)))
      .map((path) => `${name}: there is no ${path}.`);
  });
}
