// At start, asks speech vendors for what the operator did not set and callbacks need, and says what
// came of it. A vendor that does not answer holds nobody up for long.
import { transcriber_ids } from '@trivium/contract';
import type { TranscriberId } from '@trivium/contract';
import type { Particulars, TranscribeProduct } from '../providers/transcribe-product.ts';
import { outgoingOf, parse } from './call-provider.ts';
import { keysOf } from './guard.ts';
import type { House } from './house.ts';
import { stationOf } from './job-desk.ts';
import { sendRedacted } from './redact.ts';

export interface Discovered {
  /** What was set, and what was found beside it. */
  extras: Readonly<Record<string, string>>;
  /** For the start-up lines, by provider. */
  told: Readonly<Partial<Record<TranscriberId, string>>>;
}

const question = { timeout_ms: 3000, max_bytes: 1024 * 1024 };
const max_steps = 4;

export async function discoverParticulars(house: House): Promise<Discovered> {
  const { extras, public_url } = house.settings;
  if (public_url === undefined) return { extras, told: {} };
  const all = await Promise.all(
    transcriber_ids.map(async (id) => {
      const given = { extras, callback_url: `${public_url}/callbacks/${id}` };
      return { id, ...(await discoverOf(house, id, given)) };
    }),
  );
  return {
    extras: Object.assign({}, ...all.map(({ found }) => found), extras) as Record<string, string>,
    told: Object.fromEntries(
      all.flatMap(({ id, says }) => (says === undefined ? [] : [[id, says]])),
    ),
  };
}

interface Found {
  found: Readonly<Record<string, string>>;
  says?: string | undefined;
}

/** With several credentials, only what each of them found out counts, all of it together. */
async function discoverOf(house: House, id: TranscriberId, given: Particulars): Promise<Found> {
  const discovery = stationOf(house, id)?.provider.transcribe?.discovery;
  const upstream = stationOf(house, id)?.upstream;
  if (!discovery || !upstream) return { found: {} };
  const all = await Promise.all(
    keysOf(upstream).map((key) => discoverWith(house, id, key, discovery, given)),
  );
  const poorer = all.find(({ found }) => Object.keys(found).length === 0);
  if (poorer) return poorer;
  const [first] = all;
  const names = Object.keys(first?.found ?? {});
  const united = names.map((name) => {
    const values = all.flatMap(({ found }) => (found[name] ?? '').split(','));
    return [name, [...new Set(values)].join(',')];
  });
  return { found: Object.fromEntries(united) as Record<string, string>, says: first?.says };
}

async function discoverWith(
  house: House,
  id: TranscriberId,
  key: string,
  { first, next }: NonNullable<TranscribeProduct['discovery']>,
  given: Particulars,
): Promise<Found> {
  const station = stationOf(house, id);
  if (!station) return { found: {} };
  let step = first(given);
  for (let steps = 0; steps < max_steps && step.kind === 'ask'; steps += 1) {
    // Past the guard: a key that may not list things is still good for its work.
    const sent = await sendRedacted(house, station, outgoingOf(station, step.wire, question, key));
    if (!sent.ok) return { found: {}, says: `it could not be asked: ${sent.message}` };
    step = next({ ...sent, body: parse(sent.text) }, step.state, given);
  }
  return step.kind === 'over' ? step : { found: {} };
}
