// Idempotency keys: which request may run, which gets the stored answer, and which must wait.
import type { Book, ClaimState } from './book.ts';

export interface ClaimEntry {
  kind: 'claim';
  account_id: string;
  key: string;
  body_hash: string;
  owner: string;
  /** When another request may take it over, because its owner has died. */
  expires_at: number;
}

/** Identifies a claim of a request. */
export interface ClaimRef {
  account_id: string;
  key: string;
  owner: string;
}

export interface StoredAnswer {
  status: number;
  /** Null when it is too long to be stored. */
  body: string | null;
  expires_at: number;
}

export type ClaimOutcome =
  | { kind: 'claimed' }
  | { kind: 'running' }
  | { kind: 'other_body' }
  | { kind: 'replay'; owner: string; status: number; answer: string | null };

export function claimKey({ account_id, key }: { account_id: string; key: string }): string {
  return `${account_id} ${key}`;
}

export function claim(book: Book, entry: ClaimEntry): ClaimOutcome {
  const before = book.claims.get(claimKey(entry));
  if (before && before.expires_at > book.now && before.owner !== entry.owner) {
    if (before.body_hash !== entry.body_hash) return { kind: 'other_body' };
    if (before.state === 'running') return { kind: 'running' };
    const { owner, status, answer } = before;
    return { kind: 'replay', owner, status: status ?? 200, answer };
  }
  const { account_id, key, body_hash, owner, expires_at } = entry;
  put(book, {
    account_id,
    key,
    body_hash,
    owner,
    state: 'running',
    status: null,
    answer: null,
    expires_at,
  });
  return { kind: 'claimed' };
}

/** False when another request has taken the key over; this one may no longer charge. */
export function isOwner(book: Book, ref: ClaimRef): boolean {
  const found = book.claims.get(claimKey(ref));
  return found?.owner === ref.owner && found.expires_at > 0;
}

export function extendClaim(book: Book, ref: ClaimRef, expiresAt: number): void {
  change(book, ref, { expires_at: expiresAt });
}

export function storeAnswer(book: Book, ref: ClaimRef, answer: StoredAnswer): void {
  const { status, body, expires_at } = answer;
  change(book, ref, { state: 'done', status, answer: body, expires_at });
}

/** Nothing was charged, so the key may be used again at once. */
export function freeClaim(book: Book, ref: ClaimRef): void {
  change(book, ref, { expires_at: 0 });
}

function change(book: Book, ref: ClaimRef, to: Partial<ClaimState>): void {
  const found = book.claims.get(claimKey(ref));
  if (found?.owner === ref.owner && found.state === 'running') put(book, { ...found, ...to });
}

function put(book: Book, state: ClaimState): void {
  const place = claimKey(state);
  const before = book.claims.get(place);
  if (before) book.changes.claims.delete(before);
  book.claims.set(place, state);
  book.changes.claims.add(state);
}
