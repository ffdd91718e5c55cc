// Answers that wait to be written have a limit.
import { expect, test } from 'bun:test';
import { systemClock } from '../platform/clock.ts';
import { makeAnswerLog } from './answer-log.ts';

test('at most 32 MB of answers wait, each cut to 256 KB', () => {
  const warned: string[] = [];
  const never = () => new Promise(() => undefined);
  const log = makeAnswerLog({
    database: { run: never, transaction: never, perform: never },
    log: { warn: (_reason: object, words: string) => warned.push(words) },
    settings: { keep_answer_hours: 1, keep_answers_max_mb: 1, keep_query_hours: 1 },
    clock: systemClock,
  } as never);
  const of = (at: number) => ({ request_id: `req_${at}`, caller: {}, tool: 'search' }) as never;
  const answer = { text: 'x'.repeat(300_000), isFree: false } as never;
  for (let at = 0; at < 128; at += 1) log?.add(of(at), answer);
  expect(warned).toEqual([]);
  log?.add(of(128), answer);
  expect(warned).toEqual(['answers could not be kept']);
});
