// Up to version 0.2.0 the server reached its machine through globals and modules of the runtime. The
// sources of such a release are loaded with others in their place; nothing else in them changes.
import { plugin, S3Client } from 'bun';
import crypto from 'node:crypto';
import fs from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { type Machine, machine as real } from '../../../../src/platform/machine.ts';

/** Returns the machine of the sources in this folder, which are imported afterwards. */
export function replaceMachine(sources: string): Machine {
  const machine = { ...real };
  const globals = globalsOf(machine);
  const modules = modulesOf(machine);
  void plugin({
    name: 'machine of a release',
    setup: (build) => {
      build.module(`${scheme}globals`, () => ({ exports: globals, loader: 'object' }));
      for (const [name, exports] of Object.entries(modules)) {
        build.module(scheme + name, () => ({ exports, loader: 'object' }));
      }
      build.onLoad({ filter: filesIn(sources) }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        return { contents: replaceIn(text, Object.keys(globals), modules), loader: 'ts' };
      });
    },
  });
  return machine;
}

const scheme = 'machine-of-a-release:';

function filesIn(folder: string): RegExp {
  const place = `${folder}/`.replaceAll(/[^\w/]/g, String.raw`\$&`);
  return new RegExp(String.raw`^${place}.*\.ts$`);
}

/** On one line before the first, so that the lines of a stack stay right. */
function replaceIn(text: string, globals: readonly string[], modules: object): string {
  const used = globals.filter(
    (name) => new RegExp(String.raw`\b${name}\b`).test(text) && !isImported(text, name),
  );
  const imported = `import { ${used.join(', ')} } from '${scheme}globals'; `;
  const own = text.replaceAll(/ from '([\w:/]+)';/g, (whole, name: string) =>
    name in modules ? ` from '${scheme}${name}';` : whole,
  );
  return used.length === 0 ? own : imported + own;
}

function isImported(text: string, name: string): boolean {
  return new RegExp(String.raw`^import \{[^}]*\b${name}\b[^}]*\}`, 'm').test(text);
}

function globalsOf(machine: Machine): Readonly<Record<string, unknown>> {
  const dates = new Proxy(Date, {
    construct: (made, given) =>
      new made(...((given.length === 0 ? [machine.now()] : given) as [number])),
    get: (made, name) => (name === 'now' ? machine.now : Reflect.get(made, name)) as unknown,
  });
  const numbers = Object.create(Math, { random: { value: () => machine.random() } }) as typeof Math;
  const runtime = Object.create(Bun, {
    serve: { value: (options: never) => machine.serve(options) },
    randomUUIDv7: { value: () => machine.newUuid() },
  }) as typeof Bun;
  return {
    ...{ Date: dates, Math: numbers, Bun: runtime },
    performance: { now: () => machine.ticks(), timeOrigin: 0 },
    fetch: (url: string | URL, init: BunFetchRequestInit) => machine.fetch(url, init),
    setTimeout: (work: (...given: unknown[]) => void, ms: number, ...given: unknown[]) =>
      machine.setTimeout(() => work(...given), ms),
    clearTimeout: (timer: Timer | undefined) => machine.clearTimeout(timer),
    setImmediate: (work: () => void) => void machine.nextTurn().then(work),
  };
}

type Pause = { signal?: AbortSignal; ref?: boolean } | undefined;

function modulesOf(machine: Machine): Readonly<Record<string, Record<string, unknown>>> {
  function SQL(options: never): unknown {
    return machine.openSql(options);
  }
  return {
    bun: { SQL, S3Client },
    'node:timers/promises': {
      setTimeout: (ms: number, _value?: unknown, pause?: Pause) => machine.sleep(ms, pause),
      setImmediate: () => machine.nextTurn(),
    },
    'node:crypto': { ...crypto, randomBytes: (size: number) => machine.randomBytes(size) },
    'node:dns/promises': {
      lookup: async (name: string) =>
        (await machine.resolve(name)).map((address) => ({ address, family: 4 })),
    },
    'node:fs/promises': {
      ...fs,
      stat: (path: string) => machine.stat(path),
      opendir: (path: string) => machine.openFolder(path),
      statfs: () => Promise.resolve({ bavail: 2 ** 28, bsize: 4096 }),
    },
  };
}
