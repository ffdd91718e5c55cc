// Prints the files of server/src that a plain search, the acceptance of a transcription and the
// operator's overview run through, and how often control turns back.
//
// Every function of server/src is instrumented when it is loaded. A file counts when one of its
// functions ran in each of several equal requests to a warm gateway, on the main thread. A turn is
// a call back: a file calls a function that an earlier file of the path created during the request,
// and that the calling file did not ask for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';

const source = join(import.meta.dir, '..', 'server/src');
const warmUp = 20;
const rounds = 20;
const key = `sk_live_${'p'.repeat(43)}`;
const operatorToken = 'p'.repeat(43);

let files = new Set<string>();
let turns = new Set<string>();
/** The request in progress; 0 while none is traced. */
let request = 0;

/** Called by the instrumented sources. */
const trace = {
  enter: (file: string) => void (request > 0 && files.add(file)),
  make: (file: string, line: number, made: (...given: unknown[]) => unknown) => {
    const madeIn = request;
    const askedBy = madeIn > 0 ? filesIn(new Error().stack) : [];
    return function (this: unknown, ...given: unknown[]): unknown {
      if (madeIn > 0 && madeIn === request) {
        const [caller = file] = filesIn(new Error().stack);
        const order = [...files];
        const isLater = order.indexOf(file) < order.indexOf(caller);
        if (isLater && !askedBy.includes(caller)) turns.add(`${caller} calls ${file}:${line}`);
      }
      return made.apply(this, given);
    };
  },
};
Object.assign(globalThis, { trace });

/** The files of server/src on the stack, the latest first. */
function filesIn(stack = ''): string[] {
  return [...stack.matchAll(/server\/src\/([^:)]+)/g)].map(([, file = '']) => file);
}

interface Node {
  type: string;
  start: number;
  end: number;
  body?: Node;
  /** Of a property or a member of a class. */
  method?: boolean;
  kind?: string;
}

function instrument(text: string, file: string): string {
  const edits: [at: number, text: string][] = [];
  const visit = (node: Node, depth: number, isMethod = false): void => {
    const isFunction = /Function/.test(node.type) && node.body?.type;
    if (isFunction && node.body) {
      const enter = `trace.enter(${JSON.stringify(file)})`;
      const isBlock = node.body.type === 'BlockStatement';
      if (isBlock) edits.push([node.body.start + 1, `${enter};`]);
      else edits.push([text.indexOf('=>', beforeBody(node)) + 2, `(${enter},(`], [node.end, '))']);
      if (depth > 0 && !isMethod && /Expression/.test(node.type)) {
        const line = text.slice(0, node.start).split('\n').length;
        edits.push([node.start, `trace.make(${JSON.stringify(file)},${line},`], [node.end, ')']);
      }
    }
    for (const value of Object.values(node)) {
      for (const one of [value].flat() as unknown[]) {
        if (one instanceof Object && 'type' in one && 'start' in one) {
          visit(one as Node, depth + (isFunction ? 1 : 0), hasMethod(node));
        }
      }
    }
  };
  const beforeBody = (node: Node) => text.lastIndexOf('=>', node.body?.start ?? 0);
  visit(parseSync(file, text).program as unknown as Node, 0);
  const ordered = edits.map((edit, order) => ({ edit, order }));
  ordered.sort((one, other) => other.edit[0] - one.edit[0] || other.order - one.order);
  return ordered.reduce(
    (whole, { edit: [at, added] }) => whole.slice(0, at) + added + whole.slice(at),
    text,
  );
}

function hasMethod({ type, method = false, kind }: Node): boolean {
  return type === 'MethodDefinition' || method || kind === 'get' || kind === 'set';
}

Bun.plugin({
  name: 'request path',
  setup: (build) => {
    build.onLoad({ filter: /server\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: instrument(await Bun.file(path).text(), relative(source, path)),
      loader: 'ts',
    }));
  },
});

const folder = mkdtempSync(join(tmpdir(), 'trivium-path-'));
const { readSettings } = await import('../server/src/settings/settings.ts');
const { providers } = await import('../server/src/providers/registry.ts');
const { startGateway } = await import('../server/src/app/start.ts');
const settings = readSettings(
  {
    PORT: '0',
    TRIVIUM_DATA_DIR: folder,
    TRIVIUM_SANDBOX: 'on',
    TRIVIUM_BOOTSTRAP_KEY: key,
    TRIVIUM_ADMIN_TOKEN: operatorToken,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000',
    TRIVIUM_LOG_LEVEL: 'error',
  },
  Object.values(providers),
);
const gateway = await startGateway(settings, () => undefined);
const search = { query: 'solar energy storage', provider: 'engine_a' };
await report('query', '/v1/search', search);
await report('audio_url', '/v1/transcriptions', { audio_url: 'https://media.example/talk.mp3' });
await report('overview', '/admin/v1/overview?account_id=acct_default');
await gateway.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

async function report(name: string, path: string, body?: object): Promise<void> {
  for (let count = 0; count < warmUp; count += 1) await send(path, body);
  const seen: [Set<string>, Set<string>][] = [];
  for (let count = 1; count <= rounds; count += 1) {
    [files, turns, request] = [new Set(), new Set(), count];
    await send(path, body);
    request = 0;
    seen.push([files, turns]);
  }
  const inAll = (all: Set<string>[]) =>
    [...all.reduce((one, other) => one.intersection(other))].toSorted();
  const passed = inAll(seen.map(([one]) => one));
  const turned = inAll(seen.map(([, one]) => one));
  process.stdout.write(
    `${name}: ${passed.length} files, ${turned.length} turns\n` +
      [...passed, ...turned].map((line) => `  ${line}\n`).join(''),
  );
}

/** Without a body, an operator reads something. */
async function send(path: string, body?: object): Promise<void> {
  const response = await fetch(gateway.url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${body ? key : operatorToken}`,
      'content-type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.text();
}
