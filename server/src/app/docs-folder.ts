// The pages and images of the documentation, embedded by a build or read from disk.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Documentation } from '../http/index.ts';

const folder = join(import.meta.dir, '..', '..', '..', 'docs');

/** Empty if the gateway is installed without its documentation. */
export async function readDocs(): Promise<Documentation> {
  const { builtFiles } = await import('./built-files.ts');
  if (builtFiles) return builtFiles.docs;
  const pages = filesIn(folder, /\.md$/).map((file) => ({
    name: file.slice(0, -'.md'.length),
    markdown: readFileSync(join(folder, file), 'utf8'),
  }));
  const images = join(folder, 'images');
  const pictures = filesIn(images, /\.(?:svg|png)$/).map((name) => ({
    name,
    base64: readFileSync(join(images, name)).toString('base64'),
  }));
  return { pages, pictures };
}

function filesIn(path: string, pattern: RegExp): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((file) => pattern.test(file))
    .sort();
}
