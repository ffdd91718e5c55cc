// Binds an assertion to the requirement it proves, and records which proofs ran.
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { expect as bunExpect } from 'bun:test';
import type { Expect } from 'bun:test';
import { requirements } from './requirements.ts';
import type { RequirementId } from './requirements.ts';

/** One requirement, or several that the same assertions prove. */
type Ids = RequirementId | readonly [RequirementId, ...RequirementId[]];

/**
 * Runs the assertions that prove a requirement: `proves('search.query.required', () => …)`.
 * The callback must run at least one assertion of the `expect` below; otherwise the test fails.
 */
export function proves(ids: Ids, assert: () => Promise<void>): Promise<void>;
export function proves(ids: Ids, assert: () => void): void;
export function proves(ids: Ids, assert: () => void | Promise<void>): void | Promise<void> {
  const list = typeof ids === 'string' ? [ids] : [...ids];
  const unknown = list.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new Error(`No requirement is called ${unknown.join(', ')}: see e2e/requirements.`);
  }
  const proof: Proof = { assertions: 0, outer: current.getStore() };
  const result = current.run(proof, assert);
  if (result instanceof Promise) return result.then(() => close(proof, list));
  close(proof, list);
}

type Proof = { assertions: number; outer: Proof | undefined };

/** Follows a proof through its awaits, so that two proofs at once do not count for each other. */
const current = new AsyncLocalStorage<Proof>();

function close(proof: Proof, ids: readonly string[]): void {
  if (proof.assertions === 0) {
    throw new Error(
      `${ids.join(', ')}: the callback of proves ran no assertion. ` +
        'Assert with the expect of e2e/proves.ts, not with the one of bun:test.',
    );
  }
  for (const id of ids) record(id);
}

/** The file that the test runner names, to which every test process appends what it proved. */
const recordFile = process.env['TRIVIUM_TEST_PROOFS'];
const recorded = new Set<string>();

function record(id: string): void {
  if (recordFile === undefined || recorded.has(id)) return;
  recorded.add(id);
  appendFileSync(recordFile, `${id}\n`);
}

/** Bun's `expect`, whose matchers are counted for the proof they run in. */
export const expect: Expect = new Proxy(bunExpect, {
  apply: (target, _self, args: Parameters<Expect>) => countMatchers(target(...args)),
});

function countMatchers<T extends object>(matchers: T): T {
  return new Proxy(matchers, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value === 'function') {
        return (...args: unknown[]): unknown => {
          for (let proof = current.getStore(); proof; proof = proof.outer) proof.assertions += 1;
          return Reflect.apply(value, target, args);
        };
      }
      // `not`, `resolves` and `rejects` lead to matchers of their own.
      return typeof value === 'object' && value !== null ? countMatchers(value) : value;
    },
  });
}

const known = new Set<string>(requirements.map(({ id }) => id));
