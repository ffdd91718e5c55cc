// The answers of an evaluation, stored in a file as they arrive, so that an interrupted run
// continues where it stopped. Each call is written down before it is sent, so that a repeated call
// has the same idempotency key and is not charged again.
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import type { SearchEngineId } from '@trivium/contract';
import { UsageError } from '../command.ts';
import { plain } from '../style.ts';

export interface AnsweredPage {
  /** The id of the result: the same page has the same id with every engine. */
  id: string;
  url: string;
  title: string;
  /** Empty if the engine gave none. */
  date: string;
}

export interface EngineAnswer {
  query: string;
  engine: SearchEngineId;
  /** `lost`: the call was sent too long ago to be repeated without a second charge. */
  outcome: 'served' | 'failed' | 'lost';
  pages: AnsweredPage[];
  cost_usd: number;
  latency_ms: number;
  /** Why it failed. */
  error?: string;
}

export interface KeptAnswers {
  /** True if an earlier run started the file. */
  isResumed: boolean;
  find: (query: string, engine: string) => EngineAnswer | undefined;
  /** The idempotency key of a call, written down before the call is made. */
  begin: (query: string, engine: SearchEngineId) => string;
  add: (answer: EngineAnswer) => void;
  list: () => EngineAnswer[];
  spentUsd: () => number;
}

/** The gateway keeps idempotency keys for a day; an hour less allows for different clocks. */
const keyKeptMs = 23 * 60 * 60 * 1000;
const maxFileBytes = 512 * 1024 * 1024;

type Line =
  | { evaluation: string; run: string }
  | { asked: string; at: number }
  | { answer: EngineAnswer };

/** `identity` identifies the evaluation, because another one must not continue in the same file. */
export function keepAnswers(file: string, identity: string, now: () => number): KeptAnswers {
  const evaluation = hashOf(identity);
  const answers = new Map<string, EngineAnswer>();
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
      else if ('answer' in line)
        answers.set(placeOf(line.answer.query, line.answer.engine), line.answer);
    }
    // A run that was killed may have left half a line.
    appendFileSync(file, '\n');
  } else unwritten = [{ evaluation, run }];
  let spentUsd = [...answers.values()].reduce((sum, { cost_usd }) => sum + cost_usd, 0);
  const add = (answer: EngineAnswer) => {
    answers.set(placeOf(answer.query, answer.engine), answer);
    spentUsd += answer.cost_usd;
    write({ answer });
  };
  const find = (query: string, engine: string) => answers.get(placeOf(query, engine));
  for (const [place, at] of asked) {
    if (answers.has(place) || now() - at < keyKeptMs) continue;
    const [query = '', engine = ''] = JSON.parse(place) as string[];
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
    isResumed,
    find,
    begin: (query, engine) => {
      const place = placeOf(query, engine);
      if (!asked.has(place)) {
        asked.set(place, now());
        write({ asked: place, at: now() });
      }
      return `evaluate-${run}-${hashOf(place)}`;
    },
    add,
    list: () => [...answers.values()],
    spentUsd: () => spentUsd,
  };
}

function placeOf(query: string, engine: string): string {
  return JSON.stringify([query, engine]);
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
