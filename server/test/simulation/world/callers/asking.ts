// How callers ask: once, or under one key until there is a final answer.
import { requestOf } from './requests.ts';
import type { Caller, Try, Operation } from './caller.ts';
import type { Answer, Ask } from '../network.ts';

export function begin({ kind, account, operations }: Caller, what: Operation['kind']): Operation {
  const operation: Operation = {
    id: `op${operations.length}`,
    kind: what,
    caller: kind,
    account,
    tries: [],
  };
  operations.push(operation);
  return operation;
}

export function keyed(operation: Operation): Operation {
  operation.key = `key-of-${operation.id}`;
  return operation;
}

export async function ask(caller: Caller, operation: Operation, request: Ask): Promise<Answer> {
  const { world, life, tenant } = caller;
  const one: Try = { calledAt: world.scheduler.now(), returnedAt: Infinity };
  operation.tries.push(one);
  const key = request.key === '' ? (operation.secret ?? tenant.key) : request.key;
  const headers = {
    ...request.headers,
    ...(operation.key ? { 'idempotency-key': operation.key } : {}),
  };
  world.note(life.name, `${operation.id} ${request.path}`);
  const answer = await world.call(life, { ...request, key, headers });
  one.answer = answer;
  one.returnedAt = world.scheduler.now();
  world.note(life.name, `${operation.id} ${wordsOf(answer)}`);
  return answer;
}

function wordsOf(answer: Answer): string {
  if (answer.kind !== 'answer') return answer.kind;
  const { error, usage } = answer.body as { error?: { type?: string }; usage?: object };
  return `${answer.status} ${error?.type ?? JSON.stringify(usage ?? '')}`;
}

const maxTries = 40;
/** No request takes as long, so nothing can run under its key after this time. */
const longestRunMs = 900_000;

/** The same request under the same key until there is a final answer. */
export async function insist(
  caller: Caller,
  operation: Operation,
  patienceMs?: number,
): Promise<void> {
  const { world, life } = caller;
  /** Since when each answer says that the key is taken. */
  let takenSince = Infinity;
  const mayTry = (count: number) =>
    takenSince === Infinity ? count < maxTries : world.scheduler.now() < takenSince + longestRunMs;
  for (let count = 0; mayTry(count); count += 1) {
    // After three attempts an impatient caller waits for the answer.
    const isHasty = patienceMs !== undefined && count < 3;
    const answer = await ask(caller, operation, {
      ...requestOf(caller, operation),
      ...(isHasty ? { patienceMs } : {}),
    });
    if (isFinal(answer) || isForbiddenToRepeat(answer)) return;
    const isTaken = answer.kind === 'answer' && answer.status === 409;
    takenSince = isTaken ? Math.min(takenSince, world.scheduler.now()) : Infinity;
    await world.sleep(life, 500 + world.random() * 1000 * Math.min(count + 1, 20));
  }
}

/** The answer tells OpenAI's clients that to repeat it does not help. */
function isForbiddenToRepeat(answer: Answer): boolean {
  return answer.kind === 'answer' && answer.headers.get('x-should-retry') === 'false';
}

/** A 409 says that the first request is still running; 429 and 5xx that it did not run. */
export function isFinal(answer: Answer): boolean {
  return (
    answer.kind === 'answer' &&
    answer.status !== 409 &&
    answer.status < 500 &&
    answer.status !== 429
  );
}
