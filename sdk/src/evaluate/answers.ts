// The answers of an evaluation, each by its query and engine, so that a run that was stopped continues
// and never pays for a query twice.
import type { SearchEngineId } from '@trivium/contract';
import { newIdempotencyKey } from '../send.ts';

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
  find: (query: string, engine: string) => EngineAnswer | undefined;
  /** The idempotency key of a call that is about to be made: the same one if it is repeated. */
  begin: (query: string, engine: SearchEngineId) => string;
  add: (answer: EngineAnswer) => void;
  list: () => EngineAnswer[];
  spentUsd: () => number;
}

export function keepInMemory(): KeptAnswers {
  const answers = new Map<string, EngineAnswer>();
  const keys = new Map<string, string>();
  let spentUsd = 0;
  return {
    find: (query, engine) => answers.get(placeOf(query, engine)),
    begin: (query, engine) => {
      const place = placeOf(query, engine);
      const key = keys.get(place) ?? newIdempotencyKey();
      keys.set(place, key);
      return key;
    },
    add: (answer) => {
      answers.set(placeOf(answer.query, answer.engine), answer);
      spentUsd += answer.cost_usd;
    },
    list: () => [...answers.values()],
    spentUsd: () => spentUsd,
  };
}

export function placeOf(query: string, engine: string): string {
  return JSON.stringify([query, engine]);
}
