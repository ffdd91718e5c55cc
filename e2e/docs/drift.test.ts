// The documentation and the code name the same things: methods, commands, settings, routes and
// pages of the dashboard. Pure: it reads files, and starts nothing.
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@trivium/contract/openapi';
import * as sdk from '@trivium/sdk';
import { commands } from '../../cli/src/commands.ts';
import { commitLimitMs, stopLimitMs } from '../../server/src/platform/time-limits.ts';
import { providers } from '../../server/src/providers/index.ts';
import { readSettings } from '../../server/src/settings/index.ts';

const root = join(import.meta.dir, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const everything = [...pages, 'README.md', 'sdk/README.md', 'python/README.md']
  .map(read)
  .join('\n');

describe('the TypeScript SDK', () => {
  const page = read('docs/sdk.md');
  const client = methodsOf(sdk.createClient({ apiKey: 'x' }));
  const admin = methodsOf(sdk.createAdminClient({ adminToken: 'x' }));

  test('has every method that its page names, and its page names every method', () => {
    expect(client.filter((name) => !page.includes(`\`${name}(`))).toEqual([]);
    const parts = tableOf(page, '| Part ');
    const documented = parts.flatMap(([names = '', methods = '']) =>
      wordsIn(names.includes('functions') ? '' : names).flatMap((part) =>
        wordsIn(methods).map((method) => `${part}.${method}`),
      ),
    );
    const functions = parts.find(([part]) => part?.includes('functions'))?.[1] ?? '';
    expect([...documented, ...wordsIn(functions)].toSorted()).toEqual(admin.toSorted());
  });

  test('exports only what its pages name, and all of it', () => {
    const exported = Object.keys(sdk).filter((name) => !['TriviumError'].includes(name));
    expect(exported.filter((name) => !everything.includes(name))).toEqual([]);
    const imported = [...everything.matchAll(/import \{([^}]+)\} from '@trivium\/sdk'/g)]
      .flatMap(([, names = '']) => names.split(','))
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '));
    expect(imported.filter((name) => !Object.hasOwn(sdk, name))).toEqual([]);
  });
});

describe('the Python client', () => {
  const page = read('docs/python.md');
  const classes = (file: string) => read(`python/src/trivium_client/${file}`);

  test('has every method that its page names, and its page names every method', () => {
    const own = pythonMethods(classes('_async_client.py'));
    expect(own.filter((name) => !page.includes(name))).toEqual([]);
    const operator = new Set(
      pythonMethods(classes('_async_admin.py')).map((name) => name.replace('(', '')),
    );
    const table = tableOf(page, '| Part ')
      .map(([, methods = '']) => methods)
      .join(' ');
    const documented = new Set(wordsIn(table).map((name) => name.replace(/\(.*/, '')));
    expect([...operator].filter((name) => !documented.has(name))).toEqual([]);
    expect([...documented].filter((name) => !operator.has(name))).toEqual([]);
  });

  test('exports what its page imports', () => {
    const exported = read('python/src/trivium_client/__init__.py');
    const imported = [...everything.matchAll(/^from trivium_client import ([^\n(]+)$/gm)].flatMap(
      ([, names = '']) => names.split(',').map((name) => name.trim()),
    );
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.filter((name) => !exported.includes(`"${name}"`))).toEqual([]);
  });
});

test('every command and verb is on the page of the command line, and those in pages exist', () => {
  const page = read('docs/cli.md');
  const table = page.split('## Commands')[1] ?? '';
  const named = new Set(
    [...table.matchAll(/`([a-z][a-z -]*)/g)].flatMap(([, one = '']) => one.split(' ')),
  );
  expect(commands.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  const known = new Set(['help', ...commands.map(({ name }) => name)]);
  const used = [...everything.matchAll(/(?:^|`|npx |\$ )trivium ([a-z][a-z-]+)/gm)].map(
    ([, one = '']) => one,
  );
  expect(used.length).toBeGreaterThan(50);
  expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
});

test('every setting that a page names is one that the code reads', () => {
  const sources = [
    'server/src',
    'sdk/src',
    'cli/src',
    'scripts',
    'python/src',
    'python',
    'e2e',
    'sandbox/src',
  ];
  const code = sources
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ts|mjs|py)$/.test(name) && !name.includes('node_modules'))
        .map((name) => read(`${folder}/${name}`)),
    )
    .join('\n');
  const named = new Set(everything.match(/\bTRIVIUM_[A-Z_]*[A-Z]\b/g));
  expect(named.size).toBeGreaterThan(60);
  expect([...named].filter((name) => !code.includes(name))).toEqual([]);
});

test('every route that a page names is one of the API', () => {
  const { paths } = openApiDocument() as { paths: Record<string, object> };
  const known = Object.keys(paths).map(
    (path) => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  );
  const named = new Set(
    [
      ...everything
        .replaceAll('$TRIVIUM_URL', ' ')
        .matchAll(/(?<![\w/])\/(?:admin\/v1|v1)(?:\/[\w{}$-]+)+/g),
    ].map(([path]) => path),
  );
  expect(named.size).toBeGreaterThan(30);
  const unknown = [...named].filter((path) => !known.some((route) => route.test(path)));
  expect(unknown.filter((path) => !others.includes(path))).toEqual([]);
});

test('the configuration of a collector is complete, and names attributes of request events', () => {
  const page = read('docs/observability.md');
  const [, text = ''] = /```\n(exporters:\n.*?)```/s.exec(page) ?? [];
  const { exporters, service } = Bun.YAML.parse(text) as {
    exporters: Record<string, object>;
    service: { pipelines: { logs: { exporters: string[] } } };
  };
  expect(Object.keys(exporters)).toEqual(['clickhouse', 'otlp_http/loki', 'elasticsearch']);
  expect(exporters).toContainAnyKeys(service.pipelines.logs.exporters);
  const attributes = (source: string) =>
    new Set(source.match(/(?<![\w/-])(?:gen_ai|trivium)\.[a-z_.]*[a-z]\b/g));
  const known = attributes(read('server/src/app/request-events.ts'));
  const named = attributes(page);
  expect(named.size).toBeGreaterThan(12);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  // Loki writes the dots of a name as underscores.
  expect(text).toContain('{service_name="trivium"} | trivium_outcome="failed"');
});

/** Paths of other APIs that pages name: `/v1/logs` is that of an OTLP collector. */
const others: readonly string[] = ['/v1/logs'];

test('the time that a stop may take is documented, and the files in deploy/ allow it', () => {
  const { drain_ms, provider_queue_ms } = readSettings(
    { EXA_API_KEY: 'key' },
    Object.values(providers),
  );
  const stopMs = stopLimitMs(provider_queue_ms);
  const [allS, requestsS, storeS] = [drain_ms + stopMs + commitLimitMs, stopMs, commitLimitMs].map(
    (ms) => ms / 1000,
  );
  const page = read('docs/upgrading.md').replaceAll(/\s+/g, ' ');
  const unqueuedS = stopLimitMs(0) / 1000;
  expect(page).toContain(
    `finishes requests in progress within ${requestsS} seconds (${unqueuedS} and ` +
      `\`TRIVIUM_PROVIDER_QUEUE_MS\`), and closes its store within ${storeS} seconds. So a stop ` +
      `with a provider that hangs can take ${allS} seconds`,
  );
  const [, graceS = ''] = /`deploy\/` allow (\d+) seconds before SIGKILL/.exec(page) ?? [];
  expect(Number(graceS)).toBeGreaterThan(allS ?? Infinity);
  const grace = /(?:stop_grace_period|terminationGracePeriodSeconds|TimeoutStopSec)[:=] ?(\d+)/;
  const files = ['compose.yaml', 'kubernetes.yaml', 'trivium.service', 'helm/trivium/values.yaml'];
  const given = files.map((file) => grace.exec(read(`deploy/${file}`))?.[1]);
  expect(given).toEqual(files.map(() => graceS));
});

test('every page of the dashboard is described, by its name', () => {
  const page = read('docs/dashboard.md');
  const titles = [...read('dashboard/src/shell/pages.tsx').matchAll(/title: '([^']+)'/g)].map(
    ([, title = '']) => title,
  );
  expect(titles.length).toBeGreaterThan(10);
  const described = tableOf(page, '| Page ').map(([title = '']) => title.trim());
  expect(described.toSorted()).toEqual(titles.toSorted());
});

/** The paths of every function of a client, such as jobs.wait. */
function methodsOf(client: object, prefix = ''): string[] {
  return Object.entries(client).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'function' ? [prefix + name] : methodsOf(value as object, `${prefix}${name}.`),
  );
}

/** The public methods of the classes in a module, each with its parenthesis. */
function pythonMethods(text: string): string[] {
  return [...text.matchAll(/^ {4}(?:async )?def ([a-z]\w*)\(/gm)].map(
    ([, name = '']) => `${name}(`,
  );
}

/** The cells of a table whose first line begins like this. */
function tableOf(page: string, head: string): string[][] {
  const [, body = ''] = page.split(`\n${head}`, 2);
  const rows = body.split('\n').slice(2);
  const end = rows.findIndex((row) => !row.startsWith('|'));
  return rows.slice(0, end).map((row) => row.split('|').slice(1, -1));
}

/** What a cell has in back ticks. */
function wordsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

test('the pages of the dashboard link to parts of the documentation that exist', () => {
  const folder = 'dashboard/src';
  const links = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) => [...read(`${folder}/${name}`).matchAll(/<DocsLink page="([^"]+)"/g)])
    .map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(7);
  const isThere = (link: string) => {
    const [page = '', part] = link.split('#');
    const headings = [...read(`docs/${page}.md`).matchAll(/^#+ (.+)$/gm)];
    const parts = headings.map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));
    return part === undefined || parts.includes(part);
  };
  expect(links.filter((link) => !isThere(link))).toEqual([]);
});
