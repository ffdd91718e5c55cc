// Renders the documentation and prints its files: the pages, each also as Markdown for programs, the
// API reference, and what the pages load: style, script, search index and images.
import { openApiDocument } from '@trivium/contract/openapi';
import tokens from '@trivium/dashboard/tokens.css' with { type: 'text' };
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocsFile } from './index.ts';
import { icon, layout, navigationOf } from './layout.ts';
import { highlightJson, renderMarkdown } from './markdown.ts';
import { listForModels, plainMarkdown, sectionsOf } from './plain-text.ts';
import { type OpenApi, renderReference } from './reference.ts';
import script from './script.js' with { type: 'text' };
import styleSheet from './style.css' with { type: 'text' };

const folder = join(import.meta.dir, '..');
const images = join(folder, 'images');
const namesIn = (path: string, type: RegExp) =>
  readdirSync(path)
    .filter((name) => type.test(name))
    .sort();

const texts = new Map(
  namesIn(folder, /\.md$/).map((name) => [
    name.slice(0, -'.md'.length),
    readFileSync(join(folder, name), 'utf8'),
  ]),
);
const groups = navigationOf(texts.get('index') ?? '');
const drawings = new Map(
  namesIn(images, /\.svg$/).map((name) => [name, readFileSync(join(images, name), 'utf8')]),
);
const pages = [
  ...[...texts].map(([name, text]) => ({
    ...renderMarkdown(text, drawings),
    href: name === 'index' ? '/docs' : `/docs/${name}`,
    markdown: true,
  })),
  {
    title: 'API reference',
    html: renderReference(openApiDocument() as OpenApi, highlightJson),
    href: '/docs/api',
    headings: [
      { id: 'endpoints', title: 'Endpoints' },
      { id: 'schemas', title: 'Schemas' },
    ],
    markdown: false,
  },
];
const files: DocsFile[] = [
  ...pages.map((page) => {
    const path = page.href === '/docs' ? '/docs/index' : page.href;
    return fileOf(path, 'text/html', layout(page, groups));
  }),
  ...[...texts].map(([name, text]) =>
    fileOf(`/docs/${name}.md`, 'text/markdown', plainMarkdown(text)),
  ),
  fileOf('/docs/style.css', 'text/css', `${String(tokens)}\n${String(styleSheet)}`),
  fileOf('/docs/script.js', 'text/javascript', script),
  fileOf('/docs/icon.svg', 'image/svg+xml', icon),
  fileOf('/docs/search.json', 'application/json', JSON.stringify(pages.flatMap(sectionsOf))),
  fileOf('/llms.txt', 'text/plain', listForModels(texts, groups)),
  ...namesIn(images, /\.(?:svg|png)$/).map((name) =>
    fileOf(
      `/docs/images/${name}`,
      name.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
      readFileSync(join(images, name)),
    ),
  ),
];
process.stdout.write(JSON.stringify(files));

function fileOf(path: string, type: string, body: string | Buffer<ArrayBuffer>): DocsFile {
  const charset = type === 'image/png' ? '' : '; charset=utf-8';
  return { path, type: type + charset, base64: Bun.gzipSync(body).toBase64() };
}
