// A real PostgreSQL inside this process (PGlite, in WebAssembly), with one session. A statement ends
// before the call returns, and the whole engine, memory and files, can be brought back to an earlier
// state, so that each run begins with the same one.
import { PGlite } from '@electric-sql/pglite';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedCache } from '../../../../../e2e/test-cache.ts';
import { devDependencies } from '../../../../../package.json' with { type: 'json' };
import type { Row } from '../../../../src/store/database.ts';
import { askFor, readAnswer } from './wire.ts';

export interface Engine {
  /** Throws what Bun's client throws when the server refuses a statement. */
  run: (text: string, values?: readonly unknown[]) => Row[];
  /** Remembers everything; not within a transaction. */
  save: () => Saved;
  restore: (saved: Saved) => void;
  close: () => Promise<void>;
}

export interface Saved {
  memory: Uint8Array;
  nodes: readonly SavedNode[];
  streams: readonly { at: number; stream: Stream; position: number }[];
  prepared: ReadonlyMap<string, string>;
}

interface SavedNode {
  node: FileNode;
  name: string;
  parent: FileNode;
  /** Of a file. */
  bytes?: Uint8Array;
  /** Of a folder. */
  entries?: Readonly<Record<string, FileNode>>;
}

/** What is used of Emscripten's module. */
interface Module {
  HEAPU8: Uint8Array;
  FS: {
    streams: (Stream | null | undefined)[];
    lookupPath: (path: string) => { node: FileNode };
    isDir: (mode: number) => boolean;
    isFile: (mode: number) => boolean;
    hashRemoveNode: (node: FileNode) => void;
    hashAddNode: (node: FileNode) => void;
  };
}

interface FileNode {
  mode: number;
  name: string;
  parent: FileNode;
  contents: Uint8Array | Record<string, FileNode>;
  usedBytes: number;
}

interface Stream {
  /** Null once it is closed. */
  fd: number | null;
  position: number;
}

const dataFolder = '/pglite/data';
/** Little to remember and to bring back: the stores are small. And no timers, which never end. */
const settings = ['shared_buffers=4MB', 'wal_buffers=64kB', 'log_startup_progress_interval=0'];
const options = {
  initialMemory: 128 * 2 ** 20,
  startParams: [...PGlite.defaultStartParams, ...settings.flatMap((one) => ['-c', one])],
};

/** What `initdb` makes, which takes longer than all else of a start: made once for all processes. */
async function emptyStore(): Promise<Blob> {
  const kept = join(sharedCache, `pglite-${devDependencies['@electric-sql/pglite']}.tar`);
  if (!(await Bun.file(kept).exists())) {
    const lite = await PGlite.create(options);
    const own = `${kept}.${process.pid}`;
    await Bun.write(own, await lite.dumpDataDir('none'));
    await lite.close();
    await rename(own, kept);
  }
  return new Blob([await Bun.file(kept).bytes()]);
}

export async function openEngine(): Promise<Engine> {
  const lite = await PGlite.create({ ...options, loadDataDir: await emptyStore() });
  const { mod } = lite as unknown as { mod: Module };
  const prepared = new Map<string, string>();
  let names = 0;
  const send = (message: Uint8Array) => lite.execProtocolRawSync(message);
  return {
    run: (text, values = []) => {
      const known = prepared.get(text);
      // Whether a statement that failed was prepared is not known, so no name is used twice.
      const name = known ?? `s${(names += 1)}`;
      const rows = readAnswer(send(askFor(name, known === undefined ? text : undefined, values)));
      prepared.set(text, name);
      return rows;
    },
    save: () => ({
      memory: mod.HEAPU8.slice(),
      nodes: listNodes(mod).map((node) => saveNode(mod, node)),
      streams: mod.FS.streams.flatMap((stream, at) =>
        stream ? [{ at, stream, position: stream.position }] : [],
      ),
      prepared: new Map(prepared),
    }),
    restore: (saved) => {
      restoreFiles(mod, saved);
      mod.HEAPU8.set(saved.memory);
      mod.HEAPU8.fill(0, saved.memory.length);
      prepared.clear();
      for (const [text, name] of saved.prepared) prepared.set(text, name);
    },
    close: () => lite.close(),
  };
}

/** Everything below the folder of the store. */
function listNodes({ FS }: Module): FileNode[] {
  const found: FileNode[] = [];
  const visit = (node: FileNode) => {
    found.push(node);
    if (FS.isDir(node.mode)) for (const one of Object.values(entriesOf(node))) visit(one);
  };
  visit(FS.lookupPath(dataFolder).node);
  return found;
}

function entriesOf({ contents }: FileNode): Record<string, FileNode> {
  return contents as Record<string, FileNode>;
}

function saveNode({ FS }: Module, node: FileNode): SavedNode {
  const { name, parent, contents, usedBytes } = node;
  if (FS.isDir(node.mode)) return { node, name, parent, entries: { ...entriesOf(node) } };
  const bytes = (contents as Uint8Array).slice(0, usedBytes);
  return { node, name, parent, ...(FS.isFile(node.mode) ? { bytes } : {}) };
}

/** The same nodes as before, because open streams refer to them. */
function restoreFiles(module: Module, { nodes, streams }: Saved): void {
  const { FS } = module;
  for (const node of listNodes(module)) FS.hashRemoveNode(node);
  for (const { node, name, parent, bytes, entries } of nodes) {
    [node.name, node.parent] = [name, parent];
    FS.hashAddNode(node);
    if (entries) node.contents = { ...entries };
    if (!bytes) continue;
    const kept = node.contents as Uint8Array;
    if (kept.length >= bytes.length) kept.set(bytes);
    else node.contents = bytes.slice();
    node.usedBytes = bytes.length;
  }
  for (const at of FS.streams.keys()) FS.streams[at] = null;
  for (const { at, stream, position } of streams) {
    FS.streams[at] = stream;
    // It may have been closed since.
    [stream.fd, stream.position] = [at, position];
  }
}
