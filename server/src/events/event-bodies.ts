// The bodies of events that are being delivered: one for all deliveries of an event, read when the
// first of them begins and dropped when the last one ends. Long bodies count towards the budget of
// bytes in progress.
import type { ByteBudget, ByteHold } from '../platform/byte-budget.ts';
import { takeRoom } from '../platform/byte-budget.ts';
import { iso } from '../store/index.ts';
import type { ClaimedDelivery } from './store/delivery-leases.ts';

export interface EventBodies {
  /**
   * Undefined if the subject of the event was deleted. Throws while there is no room for the body.
   */
  open: (delivery: ClaimedDelivery) => Promise<EventBody | undefined>;
}

interface EventBody {
  /** The runtime shares it among all requests that send it. */
  blob: Blob;
  close: () => void;
}

/**
 * Reads the text of a job in parts. `admit` gets the length of each part before the next one is
 * read.
 */
type ReadJob = (id: string, admit: (chars: number) => void) => Promise<string[] | undefined>;

interface Shared {
  blob: Promise<Blob | undefined>;
  users: number;
}

export function makeEventBodies(readJob: ReadJob, bytes?: ByteBudget): EventBodies {
  const known = new Map<string, Shared & { room: ByteHold | undefined }>();
  return {
    open: async (delivery) => {
      const { event_id: id } = delivery;
      let shared = known.get(id);
      if (!shared) {
        const room = bytes?.open(delivery.account_id ?? '');
        shared = { blob: blobOf(delivery, readJob, room), users: 0, room };
        known.set(id, shared);
      }
      const one = shared;
      one.users += 1;
      const close = () => {
        one.users -= 1;
        if (one.users > 0) return;
        one.room?.close();
        if (known.get(id) === one) known.delete(id);
      };
      try {
        const blob = await one.blob;
        if (blob) return { blob, close };
      } catch (error) {
        close();
        throw error;
      }
      close();
      return undefined;
    },
  };
}

async function blobOf(
  { event, created_at, subject, payload }: ClaimedDelivery,
  readJob: ReadJob,
  room: ByteHold | undefined,
): Promise<Blob | undefined> {
  const head = JSON.stringify({ type: event, timestamp: iso(created_at) });
  const data =
    payload === null ? await readJob(subject, (chars) => takeRoom(room, chars)) : [payload];
  return data && new Blob([`${head.slice(0, -1)},"data":`, ...data, '}']);
}
