// How much each account stores, compared with a limit: the sum of its rows, which is read again
// periodically, plus what this gateway has added since. The value lags by seconds, but errors do
// not accumulate.
import { GatewayError } from '@trivium/contract';
import { boundedMap } from '../platform/bounded-map.ts';
import type { RequestsContext, StoredBytes } from './context.ts';
import { type StoredColumns, type StoredSums, sumStored } from './store/stored-texts.ts';

interface Known {
  bytes: number;
  readAt: number;
  isReading: boolean;
}

const bytesPerMb = 1024 * 1024;
const readAgainMs = 10_000;
const maxKnown = 10_000;

export function makeStoredBytes(
  { database, clock, log }: Pick<RequestsContext, 'database' | 'clock' | 'log'>,
  columns: StoredColumns,
  maxMb: number,
): StoredBytes {
  const known = boundedMap<string, Known>({ limit: maxKnown, name: 'stored_bytes' });
  const arriving = new Map<string, number>();
  const read = async (accountId: string) => {
    const sums = await sumStored(database, accountId, columns);
    const bytes = totalOf(sums);
    known.put(accountId, { bytes, readAt: clock.ticks(), isReading: false });
    return sums;
  };
  const lookAgain = (accountId: string, found: Known | undefined) => {
    if (found && (found.isReading || clock.ticks() - found.readAt < readAgainMs)) return;
    if (found) found.isReading = true;
    read(accountId).catch((error: unknown) => {
      if (found) found.isReading = false;
      log.warn({ err: error }, 'the stored bytes of an account could not be counted');
    });
  };
  const maxBytes: StoredBytes['maxBytes'] = ({ policy }) =>
    Math.min(maxMb, policy?.max_stored_mb ?? maxMb) * bytesPerMb;
  return {
    read,
    maxBytes,
    hasRoom: (keeper, bytes) => {
      const { account_id: accountId } = keeper;
      const found = known.get(accountId);
      lookAgain(accountId, found);
      return (found?.bytes ?? 0) + (arriving.get(accountId) ?? 0) + bytes <= maxBytes(keeper);
    },
    receive: (accountId, bytes) => {
      const left = (arriving.get(accountId) ?? 0) + bytes;
      if (left > 0) arriving.set(accountId, left);
      else arriving.delete(accountId);
    },
    add: (accountId, bytes) => {
      const found = known.get(accountId);
      if (found) found.bytes += bytes;
    },
  };
}

export function totalOf({ uploads, answers, transcripts, tags }: StoredSums): number {
  return uploads + answers + transcripts + tags;
}

export function storageFull(maxBytes: number): GatewayError {
  return new GatewayError(
    'invalid_request',
    `This account has used up its storage: ${Math.floor(maxBytes / bytesPerMb)} MiB of ` +
      'uploads, transcripts and stored answers. Delete uploads, or wait a day until stored ' +
      'answers expire.',
    undefined,
    { status: 413 },
  );
}
