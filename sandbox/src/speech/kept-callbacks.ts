// Pending callbacks of a vendor, stored in a file: like a vendor, the sandbox delivers them even if
// it was stopped or killed in between.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

export type KeptCallbacks = {
  add: (id: string, entry: unknown) => void;
  /** Removes a callback that was delivered or given up. */
  remove: (id: string) => void;
  /** The callbacks that were pending when the file was opened, oldest first. */
  owed: readonly { id: string; entry: unknown }[];
};

const Line = z.object({ id: z.string(), entry: z.unknown().optional() });
const maxOwed = 1000;
const ownerOnly = 0o600;

/** Without a file, nothing is stored. */
export function openKeptCallbacks(file: string | undefined): KeptCallbacks {
  if (file === undefined) return { add: () => undefined, remove: () => undefined, owed: [] };
  const owed = readOwed(file);
  const draft = `${file}.new`;
  writeFileSync(draft, owed.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: ownerOnly });
  renameSync(draft, file);
  const write = (line: object) =>
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: ownerOnly });
  return {
    add: (id, entry) => write({ id, entry }),
    remove: (id) => write({ id }),
    owed,
  };
}

/** A line without an entry removes the callback with its id. A kill may have left half a line. */
function readOwed(file: string): { id: string; entry: unknown }[] {
  if (!existsSync(file)) return [];
  const owed = new Map<string, unknown>();
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = Line.safeParse(parse(text)).data;
    if (line?.entry === undefined) owed.delete(line?.id ?? '');
    else owed.set(line.id, line.entry);
  }
  return [...owed].slice(-maxOwed).map(([id, entry]) => ({ id, entry }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
