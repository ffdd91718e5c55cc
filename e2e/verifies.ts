// How a test says which requirements it proves, so that the source alone can be read for it.
import { test } from 'bun:test';
import { requirements } from './requirements.ts';
import type { RequirementId } from './requirements.ts';

/** A test of the whole product: `scenario('sentence', ['search.query.required'], run)`. */
export function scenario(
  sentence: string,
  ids: readonly [RequirementId, ...RequirementId[]],
  run: () => void | Promise<void>,
  timeout_ms = SCENARIO_TIMEOUT_MS,
): void {
  proves(...ids);
  test(sentence, run, timeout_ms);
}

/** The same claim inside a unit test: `proves('search.query.required')`. */
export function proves(...ids: [RequirementId, ...RequirementId[]]): void {
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new Error(
      `No requirement is called ${unknown.join(', ')}: ` +
        'look it up in e2e/requirements, or add it there.',
    );
  }
}

/** Long enough to start a few processes on a busy machine. */
const SCENARIO_TIMEOUT_MS = 60_000;

const known = new Set<string>(requirements.map(({ id }) => id));
