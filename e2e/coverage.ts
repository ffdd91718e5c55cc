// Judges whether requirements and tests fit together: what is cited, missing or stale.
import type { Part, Requirement } from './requirement.ts';

export type Citation = { id: string; file: string };

export type Reading = {
  citations: Citation[];
  /** Calls whose ids are not written out, so that nobody can tell what they prove. */
  unreadable: string[];
};

/** Reads `scenario('…', ['id'], …)` and `proves('id')`; what stands in comments does not count. */
export function readCitations(file: string, source: string): Reading {
  // The transpiler leaves no comments behind and writes every plain string with double quotes.
  const code = transpiler.transformSync(source);
  const lists = [...code.matchAll(SCENARIO), ...code.matchAll(PROVES)].map(
    (match) => match[1] ?? '',
  );
  const calls = [...code.matchAll(CALL)].length;
  const missed = calls - lists.length;
  return {
    citations: lists.flatMap((list) =>
      [...list.matchAll(ID)].map((match) => ({ id: match[1] ?? '', file })),
    ),
    unreadable: missed === 0 ? [] : [`${file}: ${missed} of ${calls} calls`],
  };
}

/** Every reason why the circle is not closed, as sentences that say what to do. */
export function findFaults(
  requirements: readonly Requirement[],
  { citations, unreadable }: Reading,
): string[] {
  const ids = requirements.map(({ id }) => id);
  const known = new Set(ids);
  const cited = new Map(citations.map(({ id, file }) => [id, file]));
  return [
    ...ids
      .filter((id, index) => ids.indexOf(id) !== index)
      .map((id) => `${id} is listed twice: rename one of the two.`),
    ...ids
      .filter((id) => !ID_SHAPE.test(id))
      .map((id) => `${id} is not dotted kebab-case: rename it.`),
    ...[...cited]
      .filter(([id]) => !known.has(id))
      .map(([id, file]) => `${id} is cited in ${file} but is no requirement: correct the id.`),
    ...requirements
      .filter(({ id, pending }) => pending === undefined && !cited.has(id))
      .map(({ id }) => `${id} is cited nowhere: prove it, or mark it pending.`),
    ...requirements
      .filter(({ id, pending }) => pending !== undefined && cited.has(id))
      .map(({ id }) => `${id} is proven in ${cited.get(id)}: take its pending mark away.`),
    ...unreadable.map((where) => `${where} do not write their ids out as plain strings.`),
  ];
}

export function describeCounts(requirements: readonly Requirement[]): string {
  const pending = new Map<Part, number>();
  for (const { pending: part } of requirements) {
    if (part !== undefined) pending.set(part, (pending.get(part) ?? 0) + 1);
  }
  const owed = [...pending.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...pending].map(([part, count]) => `${part} ${count}`).join(', ');
  const total = requirements.length;
  return `${total} requirements: ${total - owed} proven, ${owed} pending${parts && ` (${parts})`}`;
}

const transpiler = new Bun.Transpiler({ loader: 'ts' });

const TEXT = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + '`(?:[^`\\\\]|\\\\.)*`)';
const IDS = String.raw`\s*"[^"]*"(?:\s*,\s*"[^"]*")*\s*`;
const CALL = /(?<![\w.])(?:scenario|proves)\(/g;
const SCENARIO = new RegExp(String.raw`(?<![\w.])scenario\(\s*${TEXT}\s*,\s*\[(${IDS})\]`, 'g');
const PROVES = new RegExp(String.raw`(?<![\w.])proves\((${IDS})\)`, 'g');
const ID = /"([^"]*)"/g;
const ID_SHAPE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/;
