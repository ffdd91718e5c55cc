// How an uncertain submission is found again at Deepgram: its request log proves what happened, but
// contains no transcript.
import { minuteMs } from '@trivium/contract/durations';
import { z } from 'zod';
import { maybe } from '../shared/schemas.ts';
import type { Reply } from '../../upstream/core/index.ts';
import { providerFailure } from '../../transcription/core/index.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import type { Attempt, LookupStep } from '../shared/transcribe-product.ts';

interface State {
  project_id?: string;
  page: number;
}

const pageSize = 1000;
const beforeMs = 120_000;
const afterMs = 330_000;
/** The vendor tries to deliver for about five minutes after it has finished. */
const deliveryBoundMs = 600_000;
/** The first attempt and ten retries. */
const deliveryTries = 11;
/** The maximum number of pages in one look-up, in case the list never ends. */
const maxPages = 20;

export function toLookup(attempt: Attempt): LookupStep {
  const projectId = attempt.extras['DEEPGRAM_PROJECT_ID'];
  if (projectId !== undefined) return askLog(projectId, 0, attempt);
  const wire: WireRequest = { method: 'GET', path: '/v1/projects' };
  return { kind: 'ask', wire, state: { page: 0 }, keep: (body) => Projects.safeParse(body).data };
}

export function fromLookup(reply: Reply, given: unknown, attempt: Attempt, now: Date): LookupStep {
  const { project_id, page } = given as State;
  if (reply.status >= 300) return { kind: 'absent' };
  if (project_id === undefined) {
    const [project] = Projects.safeParse(reply.body).data?.projects ?? [];
    return project ? askLog(project.project_id, 0, attempt) : { kind: 'absent' };
  }
  const rows = Log.safeParse(reply.body).data?.requests ?? [];
  const row = rows.find((one) => isOurs(one, attempt.token));
  if (row) return readRow(row, attempt, now);
  if (rows.length < pageSize || page + 1 >= maxPages) return { kind: 'absent' };
  return askLog(project_id, page + 1, attempt);
}

const Projects = z.object({ projects: z.array(z.object({ project_id: z.string() })) });
const Row = z.object({
  request_id: z.string(),
  path: maybe.text,
  response: maybe.object({
    code: maybe.number,
    completed: maybe.text,
    details: maybe.object({ tags: maybe.texts }),
  }),
  callback: z.unknown().optional(),
});
type Row = z.infer<typeof Row>;
const Log = z.object({ requests: z.array(Row) });
const Delivered = z.object({ code: maybe.number, attempts: maybe.number });

function askLog(projectId: string, page: number, { submitted_at }: Attempt): LookupStep {
  // Whole minutes, so that attempts of the same minute ask for the same page.
  const minute = Math.floor(submitted_at.getTime() / minuteMs) * minuteMs;
  const at = (shiftMs: number) => new Date(minute + shiftMs).toISOString().slice(0, 19);
  const wire: WireRequest = {
    method: 'GET',
    path: `/v1/projects/${encodeURIComponent(projectId)}/requests`,
    query: {
      start: at(-beforeMs),
      end: at(afterMs + minuteMs),
      endpoint: 'listen',
      limit: pageSize,
      page,
    },
  };
  const state: State = { project_id: projectId, page };
  return { kind: 'ask', wire, state, keep: (body) => Log.safeParse(body).data };
}

function isOurs({ path, response, callback }: Row, token: string): boolean {
  if (response?.details?.tags?.includes(token) === true) return true;
  if (typeof callback === 'string' && callback.includes(token)) return true;
  // The token has no character that would be escaped in an address.
  return path?.includes(token) === true;
}

function readRow({ request_id, response, callback }: Row, attempt: Attempt, now: Date): LookupStep {
  const accepted: LookupStep = { kind: 'accepted', provider_job_id: request_id };
  if (!response?.code) return accepted;
  if (response.code >= 400) {
    const message = `stt_b refused the recording with status ${response.code}, according to its log.`;
    return { kind: 'failed', failure: providerFailure(message, response.code) };
  }
  if (!attempt.callback) {
    return lost('stt_b transcribed the recording, but its answer was lost with the connection.');
  }
  const delivery = Delivered.safeParse(callback).data;
  const status = delivery?.code ?? 0;
  if (status >= 200 && status < 300) {
    return lost('stt_b delivered the transcript, but it was not stored.');
  }
  const completed = response.completed ? new Date(response.completed).getTime() : now.getTime();
  const givenUp = (delivery?.attempts ?? 0) >= deliveryTries;
  if (givenUp || now.getTime() - completed > deliveryBoundMs) {
    return lost('stt_b transcribed the recording, but could not deliver the transcript.');
  }
  return { ...accepted, transcribed: true };
}

function lost(message: string): LookupStep {
  const advice = 'It keeps no copy; submit the recording again. Nothing was charged.';
  const failure = providerFailure(`${message} ${advice}`, 200, { retryable: true });
  return { kind: 'failed', failure: { ...failure, type: 'result_lost' } };
}
