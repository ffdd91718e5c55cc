// Stores a long answer under its idempotency key. Its long parts are stored once per account,
// however many answers contain them; the text between them is stored under the key.
import { dayMs, hourMs } from '@trivium/contract/durations';
import { machine } from '../platform/machine.ts';
import { uncountedBytes } from '../platform/byte-budget.ts';
import { sha256Hex } from '../platform/ids.ts';
import { is, json } from '../store/index.ts';
import type { Caller, RequestsContext } from './context.ts';
import type { ClaimRef, StoredAnswer } from './core/idempotency-claims.ts';
import { extendTexts, findText, insertTexts } from './store/stored-texts.ts';

/** The answer is `between[0] + text of parts[0] + between[1] + …`. */
interface StoredParts {
  /** The request that was answered. */
  owner: string;
  between: string[];
  parts: TextRef[];
}

interface TextRef {
  hash: string;
  bytes: number;
}

const isStoredParts = is.shape<StoredParts>({
  owner: is.text,
  between: is.listOf(is.text),
  parts: is.listOf(is.shape<TextRef>({ hash: is.text, bytes: is.number })),
});

/** Shorter parts are stored with the text between them. */
const shortestPart = 8 * 1024;
/** Texts are kept this much longer than the answers that contain them. */
const marginMs = hourMs;
const maxAnswerChars = 4 * 1024 * 1024;
/** For an answer that the caller can only read from the store. */
const maxLongAnswerChars = 32 * 1024 * 1024;

/** How long an answer is stored. */
const keptMs = dayMs;

/**
 * The answer as it is stored. A very long one is not: its key then only prevents a second charge.
 * The `pieces` are the results, in the order in which they occur in the text.
 */
export async function answerToKeep(
  context: Pick<RequestsContext, 'clock' | 'database' | 'stored'>,
  caller: Caller,
  { owner }: ClaimRef,
  {
    status,
    text,
    pieces = [],
    isLong = false,
  }: { status: number; text: string; pieces?: readonly string[]; isLong?: boolean },
): Promise<StoredAnswer> {
  const expiresAt = context.clock.now().getTime() + keptMs;
  const { account_id } = caller;
  const stored = { status, expires_at: expiresAt };
  if (text.length > (isLong ? maxLongAnswerChars : maxAnswerChars))
    return { ...stored, body: null };
  // For a batch, room is checked before the provider is called; afterwards it must be stored.
  const hasRoom = isLong || (context.stored?.hasRoom(caller, text.length) ?? true);
  if (!hasRoom) return { ...stored, body: null };
  if (text.length <= uncountedBytes) {
    context.stored?.add(account_id, text.length);
    return { ...stored, body: text, bytes: text.length };
  }
  const cut = cutAnswer(text, pieces);
  await keepTexts(context, account_id, cut.texts, expiresAt + marginMs);
  const parts: StoredParts = {
    owner,
    between: cut.between,
    parts: cut.texts.map(({ hash, bytes }) => ({ hash, bytes })),
  };
  const written = JSON.stringify(parts);
  context.stored?.add(account_id, written.length);
  return { ...stored, body: null, parts: written, bytes: written.length };
}

interface Text extends TextRef {
  content: string;
}

function cutAnswer(text: string, pieces: readonly string[]): { between: string[]; texts: Text[] } {
  const between: string[] = [];
  const texts: Text[] = [];
  let at = 0;
  // An answer without pieces counts as one piece.
  const long = pieces.filter(({ length }) => length >= shortestPart);
  for (const content of long.length > 0 ? long : [text]) {
    const start = text.indexOf(content, at);
    if (start < 0) continue;
    between.push(text.slice(at, start));
    texts.push({ hash: sha256Hex(content), content, bytes: Buffer.byteLength(content) });
    at = start + content.length;
  }
  between.push(text.slice(at));
  return { between, texts };
}

/** Written before the payment. A text that no answer refers to expires. */
async function keepTexts(
  { database, stored }: Pick<RequestsContext, 'database' | 'stored'>,
  accountId: string,
  texts: readonly Text[],
  expiresAt: number,
): Promise<void> {
  if (texts.length === 0) return;
  const hashes = [...new Set(texts.map(({ hash }) => hash))];
  const known = new Set((await extendTexts(database, hashes, accountId, expiresAt)).keys());
  for (const { hash, content, bytes } of texts) {
    if (known.has(hash)) continue;
    known.add(hash);
    stored?.add(accountId, bytes);
    await insertTexts(database, [
      { account_id: accountId, hash, content, bytes, expires_at: expiresAt },
    ]);
  }
}

/** Undefined if the answer is not stored in parts. */
export function storedParts({ parts }: Pick<StoredAnswer, 'parts'>, owner: string) {
  const read = parts === undefined ? undefined : json(isStoredParts).read(parts, () => 'An answer');
  return read?.owner === owner ? read : undefined;
}

/** The size of the answer in memory. */
export function sizeOf({ between, parts }: StoredParts): number {
  const short = between.reduce((sum, text) => sum + text.length, 0);
  return parts.reduce((sum, { bytes }) => sum + bytes, short);
}

/** Undefined if one of its texts is gone. */
export async function readParts(
  { database }: Pick<RequestsContext, 'database'>,
  accountId: string,
  { between, parts }: StoredParts,
): Promise<string | undefined> {
  const texts = [between[0] ?? ''];
  for (const [at, { hash }] of parts.entries()) {
    const content = await findText(database, accountId, hash);
    if (content === undefined) return undefined;
    texts.push(content, between[at + 1] ?? '');
    await machine.nextTurn();
  }
  return texts.join('');
}

/**
 * The answer as JSON with `null` in place of each long part. Undefined if it is not stored in
 * parts.
 */
export function withoutText(stored: Pick<StoredAnswer, 'parts'>, owner: string) {
  return storedParts(stored, owner)?.between.join('null');
}

/** `text` has `null` in place of each long part. Undefined if the answer was not stored. */
export async function openAnswer(
  context: Pick<RequestsContext, 'database'>,
  { account_id }: { account_id: string },
  stored: Pick<StoredAnswer, 'body' | 'parts'>,
  owner: string,
) {
  const none = (_at: number) => Promise.resolve<string | undefined>(undefined);
  if (stored.body !== null) return { text: stored.body, bytes: stored.body.length, partAt: none };
  const parts = storedParts(stored, owner);
  if (!parts) return undefined;
  const bytes = sizeOf(parts);
  // Without long results, the whole answer is one part.
  if (parts.between.join('') === '') {
    const text = await readParts(context, account_id, parts);
    return text === undefined ? undefined : { text, bytes, partAt: none };
  }
  const partAt = async (at: number) => {
    const hash = parts.parts[at]?.hash;
    return hash === undefined ? undefined : findText(context.database, account_id, hash);
  };
  return { text: parts.between.join('null'), bytes, partAt };
}
