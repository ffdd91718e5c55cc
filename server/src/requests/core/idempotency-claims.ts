// Decides for an idempotency key which request may run, which gets the stored answer, and which
// must wait.
import {
  type RateLimit,
  type RateLimited,
  type RequestLimits,
  countRequest,
  isLimitedAtOnce,
  rateLimited,
} from './rate-limit.ts';

export interface ClaimEntry {
  kind: 'claim';
  account_id: string;
  /** The Idempotency-Key as the caller sent it. */
  key: string;
  /** The API key that sent it. Other keys of the account get no replay. */
  key_id: string;
  /** The hash of the path and the parsed body. */
  value_hash: string;
  owner: string;
  /** When another request may take the key over, because its owner has died. */
  expires_at: number;
  /** The rate limits of the key and the account. A replay counts towards them. */
  limits?: RequestLimits | undefined;
  /** The gateway that serves the request. Empty if there is only one gateway. */
  gateway_id?: string;
  /** The gateway whose death ends the request. Absent on SQLite. */
  served_by?: string;
}

/** An Idempotency-Key in use. It is free again after `expires_at`. */
export interface ClaimState {
  account_id: string;
  key: string;
  /** The API key that sent it. Null in a row of a version before 0.2.0. */
  sent_by: string | null;
  /** Null in a row of a version before 0.2.0. */
  value_hash: string | null;
  /** The request that holds it. */
  owner: string;
  state: 'running' | 'done';
  status: number | null;
  /** The answer to store. Null in a row that was read, because the ledger does not read answers. */
  answer: string | null;
  answer_parts?: string | null;
  answer_bytes?: number | null;
  expires_at: number;
  /** The gateway that serves the request. If it dies, the claim ends. */
  served_by?: string | null | undefined;
}

/** What a batch of the ledger knows about idempotency keys. */
interface ClaimBook {
  now: number;
  /** By account and key, see `claimPlace`. */
  claims: Map<string, ClaimState>;
  rateLimit: RateLimit | undefined;
  changes: { claims: Set<ClaimState> };
}

/** Identifies the claim of a request. */
export interface ClaimRef {
  account_id: string;
  /** The key of its row, see `placesOf`. */
  key: string;
  owner: string;
}

export interface StoredAnswer {
  status: number;
  /** Null if it is too long to be stored. */
  body: string | null;
  /** A long answer in parts, see `answer-parts.ts`. */
  parts?: string;
  /** The size in the store. */
  bytes?: number;
  expires_at: number;
}

/** The row under which an answer is stored. */
interface StoredUnder {
  key: string;
  /** The request that was answered first. */
  owner: string;
  status: number;
}

export type ClaimOutcome =
  | { kind: 'claimed'; key: string }
  | { kind: 'running' }
  | { kind: 'other_body' }
  /** `is_held`: the replay counts as a request in progress, under a hold of 0. */
  | ({ kind: 'replay'; is_held: boolean } & StoredUnder)
  | RateLimited;

export function claimPlace({ account_id, key }: { account_id: string; key: string }): string {
  return `${account_id} ${key}`;
}

/**
 * The possible row keys of a claim: the key as the caller sent it, or the same key after the id of
 * the API key, while another API key uses the first form.
 */
export function placesOf({ key, key_id }: Pick<ClaimEntry, 'key' | 'key_id'>): string[] {
  return [key, ownPlace(key_id, key)];
}

function ownPlace(keyId: string, key: string): string {
  return `${keyId} ${key}`;
}

/**
 * Whether this API key claimed the row. A caller may send a key that looks like the row key of
 * another API key, so the sender decides.
 */
export function isSentBy(
  { sent_by }: Pick<ClaimState, 'sent_by'>,
  { key_id }: Pick<ClaimEntry, 'key_id'>,
): boolean {
  return sent_by === key_id;
}

export function decideClaim(book: ClaimBook, entry: ClaimEntry): ClaimOutcome {
  const { account_id, owner } = entry;
  const states = placesOf(entry).flatMap(
    (key) => book.claims.get(claimPlace({ account_id, key })) ?? [],
  );
  const live = states.filter((state) => state.expires_at > book.now);
  // In a repeated batch, this request has claimed the key before.
  const mine = live.find((state) => state.owner === owner);
  if (mine) return take(book, entry, mine.key);
  // A row without a sender may be the request of this API key, which must not be charged twice.
  const before = live.find((state) => isSentBy(state, entry) || state.sent_by === null);
  if (before) return outcomeOf(book, entry, before);
  const isShared = live.some(({ key }) => key === entry.key);
  // A request that lost its claim, under either row key, must not charge in addition to the new
  // one.
  for (const state of states) {
    if (state.state === 'running' && isSentBy(state, entry)) freeClaim(book, state);
  }
  return take(book, entry, isShared ? ownPlace(entry.key_id, entry.key) : entry.key);
}

function outcomeOf(book: ClaimBook, entry: ClaimEntry, before: ClaimState): ClaimOutcome {
  if (before.value_hash !== entry.value_hash) return { kind: 'other_body' };
  if (before.state === 'running') return { kind: 'running' };
  const limited = rateLimited(book.rateLimit, entry, book.now);
  if (limited) return limited;
  countRequest(book.rateLimit, entry);
  const isHeld = isLimitedAtOnce(entry);
  const { key, owner, status } = before;
  return { kind: 'replay', key, owner, status: status ?? 200, is_held: isHeld };
}

function take(book: ClaimBook, entry: ClaimEntry, key: string): ClaimOutcome {
  const { account_id, key_id, value_hash, owner, expires_at, served_by } = entry;
  put(book, {
    account_id,
    key,
    sent_by: key_id,
    value_hash,
    owner,
    state: 'running',
    status: null,
    answer: null,
    expires_at,
    served_by,
  });
  return { kind: 'claimed', key };
}

/** False if another request has taken the key over. This request may then no longer charge. */
export function isOwner(book: ClaimBook, ref: ClaimRef): boolean {
  const found = book.claims.get(claimPlace(ref));
  return found?.owner === ref.owner && found.expires_at > 0;
}

export function extendClaim(book: ClaimBook, ref: ClaimRef, expiresAt: number): void {
  change(book, ref, { expires_at: expiresAt });
}

export function storeAnswer(book: ClaimBook, ref: ClaimRef, answer: StoredAnswer): void {
  const { status, body, parts = null, bytes = null, expires_at } = answer;
  const stored = { answer: body, answer_parts: parts, answer_bytes: bytes };
  change(book, ref, { state: 'done', status, ...stored, expires_at });
}

/** Nothing was charged, so the key may be used again at once. */
export function freeClaim(book: ClaimBook, ref: ClaimRef): void {
  change(book, ref, { expires_at: 0 });
}

function change(book: ClaimBook, ref: ClaimRef, to: Partial<ClaimState>): void {
  const found = book.claims.get(claimPlace(ref));
  if (found?.owner === ref.owner && found.state === 'running') put(book, { ...found, ...to });
}

function put(book: ClaimBook, state: ClaimState): void {
  const place = claimPlace(state);
  const before = book.claims.get(place);
  if (before) book.changes.claims.delete(before);
  book.claims.set(place, state);
  book.changes.claims.add(state);
}

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isObject(part) ? sorted(part) : part));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype, so that a key named `__proto__` stays a key. */
function sorted(value: Record<string, unknown>): Record<string, unknown> {
  const ordered = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value).toSorted()) ordered[key] = value[key];
  return ordered;
}
