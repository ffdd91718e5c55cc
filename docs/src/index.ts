// The documentation as files to serve. A clone renders them when they are first needed, in a process
// of its own, and keeps them until one of their sources changes.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface DocsFile {
  /** Such as `/docs/search`. */
  path: string;
  type: string;
  /** The body, gzipped, in base64. */
  base64: string;
}

interface RenderedDocs {
  /** The digest of the sources. */
  sources: string;
  files: DocsFile[];
}

const root = join(import.meta.dir, '..', '..');
const rendered = join(root, 'dist', 'docs.json');

/** What the pages are made of: the renderer too, and the schemas of the API reference. */
const sources = [
  ...['docs/*.md', 'docs/images/*', 'docs/src/*', 'contract/src/**/*.ts', 'package.json'],
  ...['dashboard/src/styles/tokens.css', 'package-lock.json'],
];

export async function loadDocs(): Promise<DocsFile[]> {
  const digest = await digestOfSources();
  const kept: RenderedDocs | undefined = await Bun.file(rendered)
    .json()
    .catch(() => undefined);
  if (kept?.sources === digest) return kept.files;
  const files = await render();
  // A clone may be read-only: then every start renders them.
  await keep({ sources: digest, files }).catch(() => undefined);
  return files;
}

async function digestOfSources(): Promise<string> {
  const digest = new Bun.CryptoHasher('sha256');
  for (const pattern of sources) {
    for (const path of [...new Bun.Glob(pattern).scanSync(root)].sort()) {
      digest.update(path).update(await Bun.file(join(root, path)).bytes());
    }
  }
  return digest.digest('hex');
}

/** Rendering takes seconds, in which the gateway serves other requests. */
async function render(): Promise<DocsFile[]> {
  const program = join(import.meta.dir, 'render.ts');
  const renderer = Bun.spawn([process.execPath, '--no-env-file', program], { stderr: 'inherit' });
  const text = await new Response(renderer.stdout).text();
  if ((await renderer.exited) !== 0) throw new Error('the documentation cannot be rendered');
  return JSON.parse(text) as DocsFile[];
}

/** Several gateways may do this at once. */
async function keep(docs: RenderedDocs): Promise<void> {
  await mkdir(dirname(rendered), { recursive: true });
  const unfinished = `${rendered}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(docs));
  await rename(unfinished, rendered);
}
