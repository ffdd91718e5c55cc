// How an uncertain submission is found again at AssemblyAI: list the transcripts from that time,
// then check each for our token.
import { z } from 'zod';
import { maybe } from '../shared/schemas.ts';
import type { Reply } from '../../upstream/core/index.ts';
import type { Attempt, LookupStep } from '../shared/transcribe-product.ts';
import type { WireRequest } from '../shared/wire-request.ts';

interface State {
  /** Days still to be listed. */
  days: string[];
  /** The ids of other jobs, which are not checked. */
  known: ReadonlySet<string>;
  /** Ids to check, most likely first. */
  candidates: { id: string; distance_ms: number; same_audio: boolean }[];
  /** The older pages followed so far, each identified by the transcript before which it begins. */
  followed: string[];
  /** The position of the candidate that was asked about. */
  at?: number;
}

const beforeMs = 120_000;
const afterMs = 150_000;
const nearMidnightMs = 600_000;
const maxCandidates = 1000;
/**
 * The maximum number of older pages in one look-up. The vendor lists at most 200 transcripts per
 * page.
 */
const maxOlderPages = 10;

export function toLookup(
  { submitted_at }: Attempt,
  known: ReadonlySet<string> = new Set(),
): LookupStep {
  const days = [-nearMidnightMs, 0, nearMidnightMs].map((shift) =>
    new Date(submitted_at.getTime() + shift).toISOString().slice(0, 10),
  );
  const [first = '', ...others] = new Set(days);
  return askList({ created_on: first }, { known, days: others, candidates: [], followed: [] });
}

export function fromLookup(reply: Reply, given: unknown, attempt: Attempt): LookupStep {
  const state = given as State;
  if (reply.status >= 300) return { kind: 'absent' };
  if (state.at !== undefined) return afterCandidate(reply, state, state.at, attempt);
  const page = Page.safeParse(reply.body).data;
  if (!page) return { kind: 'absent' };
  const t0 = attempt.submitted_at.getTime();
  const found = page.transcripts.flatMap(({ id, created, audio_url }) => {
    const distanceMs =
      new Date(/[zZ]|[+-]\d\d:\d\d$/.test(created) ? created : `${created}Z`).getTime() - t0;
    if (!(distanceMs >= -beforeMs && distanceMs <= afterMs) || state.known.has(id)) return [];
    return [{ id, distance_ms: distanceMs, same_audio: audio_url === attempt.audio_url }];
  });
  const candidates = [...state.candidates, ...found];
  const oldest = page.transcripts.at(-1)?.created;
  const older = page.page_details.prev_url;
  if (older && oldest && new Date(`${oldest.replace(/Z$/, '')}Z`).getTime() > t0 - beforeMs) {
    const beforeId = placeIn(older);
    if (beforeId !== undefined && isNew(beforeId, state)) {
      const followed = [...state.followed, beforeId];
      return askList({ before_id: beforeId }, { ...state, candidates, followed });
    }
  }
  const [day, ...days] = state.days;
  if (day !== undefined) {
    return askList({ created_on: day }, { ...state, days, candidates });
  }
  const likely = candidates.toSorted(byLikelihood).slice(0, maxCandidates);
  return askCandidate({ ...state, candidates: likely }, 0);
}

const pageSize = 200;

const Page = z.object({
  page_details: z.object({ prev_url: maybe.text }),
  transcripts: z.array(z.object({ id: z.string(), created: z.string(), audio_url: maybe.text })),
});
const Resource = z.object({ id: z.string(), webhook_url: maybe.text });

/**
 * Only the position is taken from the address. The request always goes to the vendor's configured
 * host.
 */
function placeIn(address: string): string | undefined {
  const place = URL.parse(address)?.searchParams.get('before_id') ?? '';
  return /^[\w-]{1,100}$/.test(place) ? place : undefined;
}

/** Stops at a list that repeats itself or never ends. */
function isNew(place: string, { followed }: State): boolean {
  return followed.length < maxOlderPages && !followed.includes(place);
}

function askList(query: { created_on?: string; before_id?: string }, state: State): LookupStep {
  const wire: WireRequest = {
    method: 'GET',
    path: '/v2/transcript',
    query: { limit: pageSize, ...query },
  };
  return { kind: 'ask', wire, state, keep: (body) => Page.safeParse(body).data };
}

/**
 * Our transcript was created after the attempt was recorded, unless the clocks differ. The address
 * may be masked, so it affects only the order.
 */
function byLikelihood(one: State['candidates'][number], other: State['candidates'][number]) {
  if (one.same_audio !== other.same_audio) return one.same_audio ? -1 : 1;
  return lateness(one) - lateness(other);
}

function lateness({ distance_ms }: State['candidates'][number]): number {
  return distance_ms >= 0 ? distance_ms : afterMs - distance_ms;
}

function afterCandidate(reply: Reply, state: State, at: number, { token }: Attempt): LookupStep {
  const resource = Resource.safeParse(reply.body).data;
  if (resource?.webhook_url?.includes(token) === true) {
    return { kind: 'accepted', provider_job_id: resource.id };
  }
  return askCandidate(state, at + 1);
}

function askCandidate(state: State, at: number): LookupStep {
  const candidate = state.candidates[at];
  if (!candidate) return { kind: 'absent' };
  return {
    kind: 'ask',
    wire: { method: 'GET', path: `/v2/transcript/${encodeURIComponent(candidate.id)}` },
    state: { ...state, at } satisfies State,
    keep: (body) => Resource.safeParse(body).data,
    isFinal: true,
  };
}
