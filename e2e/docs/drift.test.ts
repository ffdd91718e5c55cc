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
const everyPage = [...pages, 'README.md', 'sdk/README.md', 'python/README.md'].map(read);
const everything = everyPage.join('\n');

describe('the TypeScript SDK', () => {
  const page = read('docs/sdk.md');
  const client = methodsOf(sdk.createClient({ apiKey: 'x' }));
  const admin = methodsOf(sdk.createAdminClient({ adminToken: 'x' }));

  test('has every method that its page names, and its page names every method', () => {
    const named = callsIn(page, '| Function ').filter((name) => !Object.hasOwn(sdk, name));
    expect(named.toSorted()).toEqual(client.toSorted());
    expect(operatorMethods(page)).toEqual(admin.toSorted());
  });

  test('exports only what its pages name, and all of it', () => {
    const named = namesInCode(everyPage.filter((text) => text.includes('@trivium/sdk')).join('\n'));
    expect(Object.keys(sdk).filter((name) => !named.has(name))).toEqual([]);
    const imported = [...everything.matchAll(/import \{([^}]+)\} from '@trivium\/sdk'/g)]
      .flatMap(([, names = '']) => names.split(','))
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '));
    expect(imported.filter((name) => !Object.hasOwn(sdk, name))).toEqual([]);
  });
});

describe('the Python client', () => {
  const page = read('docs/python.md');
  const source = (file: string) => read(`python/src/trivium_client/${file}`);
  const exported = source('__init__.py');

  test('has every method that its page names, and its page names every method', () => {
    const named = callsIn(page, '| Method ').filter((name) => !exported.includes(`"${name}"`));
    const own = pythonMethods(source('_async_client.py'), 'AsyncTrivium');
    expect(named.toSorted()).toEqual(own.toSorted());
    const operator = pythonMethods(source('_async_admin.py'), 'AsyncTriviumAdmin');
    expect(operatorMethods(page)).toEqual(operator.toSorted());
  });

  test('exports what its page imports', () => {
    const imported = [...everything.matchAll(/^from trivium_client import ([^\n(]+)$/gm)].flatMap(
      ([, names = '']) => names.split(',').map((name) => name.trim()),
    );
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.filter((name) => !exported.includes(`"${name}"`))).toEqual([]);
  });
});

test('every command and verb is on the page of the command line, and those in pages exist', () => {
  const verbsOf = (noun: string) => commands.find(({ name }) => name === noun)?.verbs ?? {};
  const nouns = commands
    .map(({ name }) => name)
    .filter((name) => Object.keys(verbsOf(name)).length);
  const known = commands.flatMap(({ name }) =>
    nouns.includes(name) ? Object.keys(verbsOf(name)).map((verb) => `${name} ${verb}`) : [name],
  );
  const described = tableOf(read('docs/cli.md'), '| Command ').flatMap(([cell = '']) => {
    const calls = wordsIn(cell).map((call) => call.split(' '));
    const noun = calls[0]?.[0] ?? '';
    return nouns.includes(noun)
      ? calls.map((words) => `${noun} ${words.at(-1)}`)
      : calls.map(([name = '']) => name);
  });
  expect([...new Set(described)].toSorted()).toEqual([...known, 'help', '--version'].toSorted());
  const used = [
    ...everything.matchAll(/(?:^|`|npx |\$ )trivium ([a-z][a-z-]+)(?: ([a-z][a-z-]+))?/gm),
  ].map(([, name = '', verb]) => (verb && nouns.includes(name) ? `${name} ${verb}` : name));
  expect(used.length).toBeGreaterThan(50);
  const all = new Set(['help', ...nouns, ...known]);
  expect([...new Set(used)].filter((call) => !all.has(call))).toEqual([]);
});

test('every setting that a page names is one that the code reads', () => {
  const sources = ['server/src', 'sdk/src', 'cli/src', 'scripts', 'python', 'e2e', 'sandbox/src'];
  const settings = /\bTRIVIUM_[A-Z_]*[A-Z]\b/g;
  const code = sources
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(
          (name) => /(?<!\.test)\.(?:ts|mjs|py)$/.test(name) && !name.includes('node_modules'),
        )
        .map((name) => read(`${folder}/${name}`)),
    )
    .join('\n');
  const known = new Set(code.match(settings));
  const named = new Set(everything.match(settings));
  expect(named.size).toBeGreaterThan(60);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
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

/** The paths of the public methods of a class and of its parts, such as jobs.wait. */
function pythonMethods(module: string, name: string, prefix = ''): string[] {
  const body = module.split(/^class /m).find((text) => /^\w+/.exec(text)?.[0] === name) ?? '';
  const own = [...body.matchAll(/^ {4}(?:async )?def ([a-z]\w*)\(/gm)];
  const parts = [...body.matchAll(/^ {8}self\.([a-z]\w*) = (Async\w+)\(/gm)];
  return [
    ...own.map(([, method = '']) => prefix + method),
    ...parts.flatMap(([, part, type = '']) => pythonMethods(module, type, `${prefix}${part}.`)),
  ];
}

/** The methods in the table of an operator's client. */
function operatorMethods(page: string): string[] {
  const lines = tableOf(page, '| Part ').flatMap(([names = '', methods = '']) =>
    (names.includes('functions') ? [''] : wordsIn(names).map((part) => `${part}.`)).flatMap(
      (part) => wordsIn(methods).map((method) => part + method),
    ),
  );
  return lines.toSorted();
}

/** The functions in the first column of a table. `.get(id)` belongs to the part before it. */
function callsIn(page: string, head: string): string[] {
  let part = '';
  const calls = tableOf(page, head).flatMap(([cell = '']) =>
    wordsIn(cell).map((call) => {
      const name = call.replace(/\(.*/, '');
      if (name.startsWith('.')) return part + name;
      part = name.split('.')[0] ?? '';
      return name;
    }),
  );
  return [...new Set(calls)];
}

/** The names in the code of a page: in its blocks and in back ticks. */
function namesInCode(text: string): Set<string> {
  return new Set(text.match(/```.*?```|`[^`\n]+`/gs)?.flatMap((code) => code.match(/\w+/g) ?? []));
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
