// Idempotency keys of the admin API: a change runs once, in one transaction with its answer, and a
// repeated request gets the same answer, even if that contains a new secret. A movement of money
// commits in the ledger, and its answer after it.
import { dayMs } from '@trivium/contract/durations';
import { conflict } from '@trivium/contract';
import { canonicalJson } from '../requests/core/index.ts';
import type { Clock } from '../platform/clock.ts';
import { makeSeal, sha256Hex } from '../platform/ids.ts';
import { is, type Database, json, within } from '../store/index.ts';
import { findAnswer, freeAnswer, noAnswer, putAnswers, reserveAnswer } from './store/operators.ts';

/** A request that changes something. */
interface Change {
  /** Who makes the change. Another person who sends the same key does not get the answer. */
  actor: string;
  /** The method and the path. */
  path: string;
  /** The Idempotency-Key, if there is one. */
  key: string | undefined;
  body: unknown;
  /** The change commits by itself, and does nothing when it is repeated under its key. */
  repeatable?: true;
}

interface Changed {
  answer: object;
  replayed: boolean;
}

/** Runs `make` with a context whose statements belong to the transaction of the answer. */
export type ChangeOnce = <C extends { database: Database; clock: Clock }>(
  context: C,
  change: Change,
  make: (context: C) => Promise<object>,
) => Promise<Changed>;

export function makeChangeOnce(secret: string): ChangeOnce {
  return async (context, { actor, path, key, body, repeatable }, make) => {
    if (key === undefined) return { answer: await make(context), replayed: false };
    const id = sha256Hex(JSON.stringify([actor, key]));
    const bodyHash = sha256Hex(`${path}\n${canonicalJson(body)}`);
    const seal = makeSeal(secret, `admin answer ${JSON.stringify([actor, key])}`);
    const once = async (database: Database): Promise<Changed> => {
      const at = context.clock.now().getTime();
      const reserved = { id, body_hash: bodyHash, at, expires_at: at + dayMs };
      const isNew = await reserveAnswer(database, reserved);
      const stored = isNew ? reserved : await findAnswer(database, id);
      if (stored?.body_hash !== bodyHash) {
        const message = `The Idempotency-Key ${key} was used with a different body or path.`;
        throw conflict(`${message} Use a new key.`);
      }
      if ('answer' in stored && stored.answer !== noAnswer) {
        const answer = storedAnswer.read(seal.open(stored.answer), () => 'An answer');
        return { answer, replayed: true };
      }
      try {
        const answer = await make({ ...context, database });
        await putAnswers(database, [{ id, answer: seal.close(JSON.stringify(answer)) }]);
        return { answer, replayed: false };
      } catch (error) {
        if (repeatable && isNew) await freeAnswer(database, id);
        throw error;
      }
    };
    const { database } = context;
    return repeatable ? once(database) : database.transaction((tx) => once(within(database, tx)));
  };
}

const storedAnswer = json(is.shape<object>({}));
