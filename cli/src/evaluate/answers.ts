// The answers of an evaluation, stored in a file as they arrive, so that an interrupted run
// continues where it stopped. Each call is written down before it is sent, so that a repeated call
// has the same idempotency key and is not charged again.
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import type { SearchEngineId } from '@trivium/contract';
import { keepInMemory, placeOf } from '@trivium/sdk/evaluate';
import type { EngineAnswer, KeptAnswers } from '@trivium/sdk/evaluate';
import { UsageError } from '../command.ts';
import { plain } from '../style.ts';

interface StoredAnswers extends KeptAnswers {
  /** True if an earlier run started the file. */
  isResumed: boolean;
}

/** The gateway keeps idempotency keys for a day; an hour less allows for different clocks. */
const keyKeptMs = 23 * 60 * 60 * 1000;
const maxFileBytes = 512 * 1024 * 1024;

type Line =
  | { evaluation: string; run: string }
  | { asked: string; at: number }
  | { answer: EngineAnswer };

/** `identity` identifies the evaluation, because another one must not continue in the same file. */
export function keepAnswers(file: string, identity: string, now: () => number): StoredAnswers {
  const evaluation = hashOf(identity);
  const kept = keepInMemory();
  const asked = new Map<string, number>();
  const isResumed = existsSync(file);
  let run = randomBytes(12).toString('hex');
  // The head is written with the first line, so that a run that sends nothing leaves no file.
  let unwritten: Line[] = [];
  const write = (line: Line) => {
    const lines = [...unwritten, line].map((one) => `${JSON.stringify(one)}\n`);
    const flag = unwritten.length > 0 ? 'ax' : 'a';
    appendFileSync(file, lines.join(''), { mode: 0o600, flag });
    unwritten = [];
  };
  if (isResumed) {
    const lines = readLines(file);
    const [head] = lines;
    if (head === undefined || !('evaluation' in head) || head.evaluation !== evaluation) {
      throw new UsageError(
        `${plain(file)} has the answers of another evaluation, with other queries, engines, gateway ` +
          'or key. Give another --output, or remove the file.',
      );
    }
    ({ run } = head);
    for (const line of lines) {
      if ('asked' in line) asked.set(line.asked, line.at);
      else if ('answer' in line) kept.add(line.answer);
    }
    // A run that was killed may have left half a line.
    appendFileSync(file, '\n');
  } else unwritten = [{ evaluation, run }];
  const add = (answer: EngineAnswer) => {
    kept.add(answer);
    write({ answer });
  };
  for (const [place, at] of asked) {
    const [query = '', engine = ''] = JSON.parse(place) as string[];
    if (kept.find(query, engine) || now() - at < keyKeptMs) continue;
    add({
      query,
      engine: engine as SearchEngineId,
      outcome: 'lost',
      pages: [],
      cost_usd: 0,
      latency_ms: 0,
    });
  }
  return {
    ...kept,
    isResumed,
    begin: (query, engine) => {
      const place = placeOf(query, engine);
      if (!asked.has(place)) {
        asked.set(place, now());
        write({ asked: place, at: now() });
      }
      return `evaluate-${run}-${hashOf(place)}`;
    },
    add,
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

/** Skips lines that cannot be parsed, such as half a line. */
function readLines(file: string): Line[] {
  const found = statSync(file);
  if (!found.isFile() || found.size > maxFileBytes) {
    throw new UsageError(`${plain(file)} does not contain the answers of an evaluation.`);
  }
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line): Line[] => {
      try {
        const value = JSON.parse(line) as unknown;
        return isLine(value) ? [value] : [];
      } catch {
        return [];
      }
    });
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false;
  const { evaluation, run, asked, at, answer } = value as Record<string, unknown>;
  if (typeof evaluation === 'string') return typeof run === 'string' && /^[\da-f]{24}$/.test(run);
  if (typeof asked === 'string') return typeof at === 'number';
  if (typeof answer !== 'object' || answer === null) return false;
  const { query, engine, pages, cost_usd, latency_ms } = answer as Record<string, unknown>;
  return (
    [query, engine].every((text) => typeof text === 'string') &&
    [cost_usd, latency_ms].every((figure) => typeof figure === 'number') &&
    Array.isArray(pages)
  );
}
