// What the store of the last released version was made with, and how it is put into a database.
import { exaAnswer } from '../upstream.ts';
import type { Received } from '../upstream.ts';

type Cell = string | number | null;

export interface ReleasedStore {
  /** When the gateway was killed, in milliseconds. */
  made_at: number;
  /** The answer to the search under the idempotency key `answered`. */
  answered: string;
  /** Of the operator who has signed in. */
  cookie: string;
  /** The ids of jobs, by the name of their recording. */
  jobs: Record<string, string>;
  /** The statements that create its tables and indexes. */
  schema: string[];
  tables: Record<string, Record<string, Cell>[]>;
}

export const releasedEnv = {
  TRIVIUM_SANDBOX: 'off',
  TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'r'.repeat(43)}`,
  TRIVIUM_SECRET: 'the secret of the released store, long enough',
  EXA_API_KEY: 'upstream-credential-4711',
  ASSEMBLYAI_API_KEY: 'upstream-credential-4712',
};

export function releasedRequest(query: string): string {
  return `{ "query": "${query}",  "provider": "engine_a" }`;
}

interface VendorState {
  /** Whether it serves every job. */
  isUp: boolean;
  /** What a request waits for that is never answered. */
  hang: Promise<never>;
}

/** Searches, and jobs whose recording says what happens to them. */
export function vendorOf(state: VendorState): (request: Received) => Promise<Response> {
  return async ({ method, path, body }) => {
    if (path === '/search') {
      if ((body as { query?: string }).query === 'hang' && !state.isUp) return state.hang;
      const url = 'https://good.example/page';
      return exaAnswer([{ id: url, url, title: 'Tides', text: 'tides' }]);
    }
    if (method === 'POST') {
      const url = (body as { audio_url?: string } | null)?.audio_url ?? '';
      const name = /(\w+)\.wav/.exec(url)?.[1] ?? '';
      if (state.isUp) return Response.json({ id: name, status: 'queued' });
      if (name === 'hangs') return state.hang;
      if (name === 'lost') return Response.json({ error: 'Server error' }, { status: 500 });
      if (name === 'busy') return Response.json({ error: 'Too many' }, { status: 429 });
      return Response.json({ id: name, status: 'queued' });
    }
    const name = path.split('/').at(-1) ?? '';
    if (name === 'transcript')
      return Response.json({ page_details: { limit: 200 }, transcripts: [] });
    if (name === 'fails') return Response.json({ id: name, status: 'error', error: 'no audio' });
    if (name === 'done' || state.isUp) return Response.json({ ...transcript, id: name });
    return Response.json({ id: name, status: 'processing' });
  };
}

const transcript = {
  status: 'completed',
  text: 'Tides rise.',
  language_code: 'en_us',
  audio_duration: 60,
  speech_model_used: 'universal-3-5-pro',
  words: [
    { text: 'Tides', start: 0, end: 400, confidence: 0.9, speaker: null },
    { text: 'rise.', start: 400, end: 900, confidence: 0.9, speaker: null },
  ],
};

/** Puts the store into an empty database, as if it had been killed a moment ago. */
export async function loadReleased(
  run: (statement: string, values?: Cell[]) => Promise<unknown>,
  { made_at, schema, tables }: ReleasedStore,
  engine: string,
): Promise<void> {
  const offset = Date.now() - restMs - made_at;
  for (const statement of schema) await run(statement);
  for (const [table, rows] of Object.entries(tables)) {
    // The store is an embedded one, whose journal PostgreSQL would not have.
    if (table === 'deferred' && engine === 'PostgreSQL') continue;
    for (const row of rows) {
      const names = Object.keys(row);
      const places = names.map((_, at) => `$${at + 1}`);
      const values = Object.values(row).map((cell) => moved(cell, offset));
      await run(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`, values);
    }
  }
}

/** The claim and the hold of the request that was cut off have expired after this. */
const restMs = 180_000;
const firstTime = Date.UTC(2020, 0);

/** Times keep their distance to the present. */
function moved(cell: Cell, offset: number): Cell {
  if (typeof cell === 'number') return cell > firstTime ? cell + offset : cell;
  const isTime = typeof cell === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell);
  return isTime ? new Date(Date.parse(cell) + offset).toISOString() : cell;
}
