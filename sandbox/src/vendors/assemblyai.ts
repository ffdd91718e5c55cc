// AssemblyAI: a transcript is a resource that is created, polled and listed; a webhook only reports
// that it has ended.
import { z } from 'zod';
import { deliverLater } from '../speech/deliver.ts';
import { ReceivedFile } from '../received-file.ts';
import { fetchRecording, storedFiles } from '../speech/fetch-recording.ts';
import {
  acceptedIn,
  idOf,
  nextNumber,
  outcomeOf,
  processingMs,
  stageOf,
  workOf,
} from '../speech/work.ts';
import type { Work } from '../speech/work.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { route } from '../vendor.ts';
import type { World } from '../world.ts';
import { describeTranscript } from './assemblyai-wire.ts';
import { TranscriptBody } from './assemblyai-wire.ts';
import { usualStatuses } from '../refusal-reason.ts';

type Made = { id: string; created: string; asked: TranscriptBody };

const ListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).optional(),
  status: z.enum(['queued', 'processing', 'completed', 'error']).optional(),
  created_on: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
  before_id: z.string().optional(),
  after_id: z.string().optional(),
  throttled_only: z.string().optional(),
});
type ListQuery = z.infer<typeof ListQuery>;

export const assemblyai: Vendor = {
  mount: '/assemblyai',
  setting: 'ASSEMBLYAI_BASE_URL',
  readKey: (headers) => headers.get('authorization') ?? undefined,
  refuse,
  routes: [
    route({ method: 'POST', path: '/v2/upload', body: ReceivedFile, answer: storeFile }),
    route({ method: 'POST', path: '/v2/transcript', body: TranscriptBody, answer: submit }),
    route({ method: 'GET', path: '/v2/transcript', query: ListQuery, answer: list }),
    route({ method: 'GET', path: '/v2/transcript/:id', answer: read }),
    route({ method: 'DELETE', path: '/v2/transcript/:id', answer: read }),
  ],
};

const webhookTries = 10;
const defaultLimit = 10;
const maxMade = 20_000;

/** An account without credit gets a 400. */
const status = { ...usualStatuses, out_of_credit: 400 };

function refuse({ reason, message }: Refusal): Reply {
  const error =
    reason === 'out_of_credit'
      ? 'Your current account balance is negative. Please top up to continue using the API.'
      : message;
  return { status: status[reason], body: { error } };
}

function madeIn(world: World): Made[] {
  return world.memory<Made[]>('assemblyai', () => []);
}

/** The address contains everything, so that it is valid even after a restart. */
function storeFile({ body: { sha256, bytes } }: Asked<ReceivedFile, unknown>): Reply {
  return { body: { upload_url: `${storedFiles}${sha256}/${bytes}` } };
}

async function submit({ body }: Asked<TranscriptBody, unknown>, world: World): Promise<Reply> {
  const { recording, file = null } = await fetchRecording(body.audio_url);
  const model = body.speech_models?.[0] ?? 'universal-3-5-pro';
  const work: Work = {
    recording,
    model,
    diarize: body.speaker_labels ?? false,
    language: body.language_code ?? null,
    split: body.multichannel === true || body.dual_channel === true,
    failing: world.failing,
    at: world.now().getTime(),
    number: nextNumber(world),
  };
  const id = idOf(work);
  const made = madeIn(world);
  made.push({ id, created: world.now().toISOString().replace('Z', '000'), asked: body });
  if (made.length > maxMade) made.shift();
  const token = body.webhook_url ?? '';
  const at = world.now().toISOString();
  acceptedIn(world).push({ mount: '/assemblyai', audio_url: body.audio_url, token, at, file });
  if (body.webhook_url) callBack(world, id, work, body);
  return { body: describeTranscript(id, work, 'queued', body) };
}

function callBack(world: World, id: string, work: Work, body: TranscriptBody): void {
  const name = body.webhook_auth_header_name;
  const failed = outcomeOf(work).kind !== 'audio';
  deliverLater(world, processingMs(world, work), {
    mount: '/assemblyai',
    url: body.webhook_url ?? '',
    headers: (forged): Record<string, string> =>
      name ? { [name]: forged ? 'guessed' : (body.webhook_auth_header_value ?? '') } : {},
    body: JSON.stringify({ transcript_id: id, status: failed ? 'error' : 'completed' }),
    tries: webhookTries,
    gives_up_on: (status) => status >= 400 && status < 500,
  });
}

function statusOf(world: World, work: Work): 'queued' | 'processing' | 'completed' | 'error' {
  const stage = stageOf(world, work);
  if (stage === 'queued') return 'queued';
  if (stage === 'running') return 'processing';
  return outcomeOf(work).kind === 'audio' ? 'completed' : 'error';
}

function read({ params }: Asked<unknown, unknown>, world: World): Reply {
  const id = params['id'] ?? '';
  const work = workOf(id);
  if (work === undefined) {
    return { status: 400, body: { error: 'Transcript lookup error, transcript id not found' } };
  }
  const asked = madeIn(world).find((one) => one.id === id)?.asked;
  return { body: describeTranscript(id, work, statusOf(world, work), asked) };
}

function list({ query }: Asked<unknown, ListQuery>, world: World): Reply {
  const { limit = defaultLimit, created_on, status, before_id, after_id } = query;
  const all = madeIn(world).toReversed();
  const before = before_id === undefined ? -1 : all.findIndex(({ id }) => id === before_id);
  const after = after_id === undefined ? all.length : all.findIndex(({ id }) => id === after_id);
  const fitting = all
    .filter((_, at) => at > before && at < after)
    .filter((one) => created_on === undefined || one.created.startsWith(created_on))
    .map((one) => ({ ...one, work: workOf(one.id) }))
    .flatMap((one) => (one.work ? [{ ...one, status: statusOf(world, one.work) }] : []))
    .filter((one) => status === undefined || one.status === status);
  const page = fitting.slice(0, limit);
  const last = page.at(-1);
  const address = 'https://api.assemblyai.com/v2/transcript';
  return {
    body: {
      page_details: {
        limit,
        result_count: page.length,
        current_url: `${address}?limit=${limit}`,
        prev_url:
          last && fitting.length > page.length
            ? `${address}?limit=${limit}&before_id=${last.id}`
            : null,
        next_url: null,
      },
      transcripts: page.map((one) => ({
        id: one.id,
        resource_url: `${address}/${one.id}`,
        status: one.status,
        created: one.created,
        completed: one.status === 'completed' ? one.created : null,
        audio_url: one.asked.audio_url,
        error: null,
      })),
    },
  };
}
