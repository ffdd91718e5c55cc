// Compares requirements with tests: which are cited, which are missing, and which proofs ran.
import type { Requirement } from './requirements.ts';

export type Citation = { id: string; file: string };

export type Citations = {
  citations: Citation[];
  /** Calls whose ids are not string literals, so that the source does not say what they prove. */
  unreadable: string[];
};

/** Reads the ids of every `proves('id', …)` and `proves(['id', …], …)`, except in comments. */
export function readCitations(file: string, source: string): Citations {
  // The transpiler removes comments and writes every plain string with double quotes.
  const code = transpiler.transformSync(source);
  const lists = [...code.matchAll(readableCall)].map((match) => match[1] ?? '');
  const calls = [...code.matchAll(call)].length;
  const missed = calls - lists.length;
  return {
    citations: lists.flatMap((list) =>
      [...list.matchAll(id)].map((match) => ({ id: match[1] ?? '', file })),
    ),
    unreadable: missed === 0 ? [] : [`${file}: ${missed} of ${calls} calls`],
  };
}

/** Every mismatch between requirements and citations, as sentences that say what to do. */
export function findFaults(
  requirements: readonly Requirement[],
  { citations, unreadable }: Citations,
): string[] {
  const ids = requirements.map(({ id }) => id);
  const known = new Set(ids);
  const cited = new Map(citations.map(({ id, file }) => [id, file]));
  return [
    ...ids
      .filter((id, index) => ids.indexOf(id) !== index)
      .map((id) => `${id} is listed twice: rename one of the two.`),
    ...ids
      .filter((id) => !idShape.test(id))
      .map((id) => `${id} is not dotted kebab-case: rename it.`),
    ...[...cited]
      .filter(([id]) => !known.has(id))
      .map(([id, file]) => `${id} is cited in ${file} but is not a requirement: correct the id.`),
    ...ids.filter((id) => !cited.has(id)).map((id) => `${id} is cited nowhere: prove it.`),
    ...unreadable.map((where) => `${where} do not write their ids as string literals.`),
  ];
}

/** Requirements that a test cites although no callback of `proves` for them passed in this run. */
export function findUnproven(
  citations: readonly Citation[],
  proven: ReadonlySet<string>,
): string[] {
  const missing = new Map(
    citations.filter(({ id }) => !proven.has(id)).map(({ id, file }) => [id, file]),
  );
  return [...missing].map(([id, file]) => `${file}: cites ${id}, but the proof did not run`);
}

const transpiler = new Bun.Transpiler({ loader: 'ts' });

const ids = String.raw`"[^"]*"|\[\s*"[^"]*"(?:\s*,\s*"[^"]*")*\s*,?\s*\]`;
const call = /(?<![\w.])proves\(/g;
const readableCall = new RegExp(String.raw`(?<![\w.])proves\(\s*(${ids})\s*,`, 'g');
const id = /"([^"]*)"/g;
const idShape = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/;
