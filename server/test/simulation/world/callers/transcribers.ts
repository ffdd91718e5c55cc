// Callers who have recordings transcribed: from an address, as an upload, or in OpenAI's shape.
import { ask, begin, insist, keyed } from './asking.ts';
import type { Caller, Try, Turn, Wish } from './caller.ts';
import { inParts, recording } from './recordings.ts';
import { jobIdIn } from './requests.ts';

export const transcribers = {
  submitter: (caller) => insist(caller, keyed(begin(caller, 'transcribe'))),
  transcriber: async (caller) => {
    const { world } = caller;
    const count = !world.shared && world.random() < 0.3 ? 4 : 1;
    const wishes = Array.from({ length: count }, () => keyed(begin(caller, 'transcribe')));
    await Promise.all(
      wishes.map(async (wish) => {
        await insist(caller, wish);
        await followJob(caller, wish);
      }),
    );
  },
  uploader: async (caller) => {
    const { world } = caller;
    const upload = await uploadOne(caller);
    if (!upload) return;
    if (world.random() < 0.2) return removeUpload(caller, upload);
    const wish = keyed(begin(caller, 'transcribe'));
    wish.upload = upload;
    await insist(caller, wish);
    await followJob(caller, wish);
  },
  openai: async (caller) => {
    const { world } = caller;
    if (world.random() < 0.2) {
      await ask(caller, begin(caller, 'other'), { path: '/v1/models', key: '' });
    }
    const wish = keyed(begin(caller, 'transcribe'));
    wish.isForm = true;
    await insist(caller, wish, world.random() < 0.4 ? 10_000 : undefined);
    const jobId = jobIdIn(wish.tries.at(-1)?.answer);
    if (jobId !== undefined) wish.jobId = jobId;
  },
} satisfies Record<string, Turn>;

const maxUploads = 5;
const largeShare = 0.3;

/** Uploads have no key: each try is another upload. */
async function uploadOne(caller: Caller): Promise<Wish['upload']> {
  const { world, life } = caller;
  for (let count = 0; count < maxUploads; count += 1) {
    const wish = begin(caller, 'upload');
    const headers = { 'content-type': 'audio/wav' };
    const patience = world.random() < 0.1 ? { patienceMs: world.random() * 1000 } : {};
    const request = {
      path: '/v1/uploads',
      key: '',
      parts: inParts(recording(world.random() < largeShare)),
      headers,
    };
    const answer = await ask(caller, wish, { ...request, ...patience });
    if (answer.kind === 'answer' && answer.status === 201) {
      const { id, audio_url } = answer.body;
      return { id: String(id), audio_url: String(audio_url) };
    }
    if (answer.kind === 'answer' && answer.status === 402) return undefined;
    await world.sleep(life, 500 + world.random() * 3000);
  }
  return undefined;
}

async function removeUpload(caller: Caller, { id }: NonNullable<Wish['upload']>): Promise<void> {
  for (const wish of caller.wishes) {
    const isOf = ({ answer }: Try) => answer?.kind === 'answer' && answer.body['id'] === id;
    if (wish.kind === 'upload' && wish.tries.some(isOf)) wish.isDeleted = true;
  }
  const path = `/v1/uploads/${id}`;
  await ask(caller, begin(caller, 'other'), { path, key: '', method: 'DELETE' });
}

/** Asks until the job has ended; jobs have a deadline, so this ends. */
async function followJob(caller: Caller, wish: Wish): Promise<void> {
  const { world, life, tenant } = caller;
  const answer = wish.tries.at(-1)?.answer;
  if (answer?.kind !== 'answer' || answer.status !== 202) return;
  wish.jobId = String(answer.body['id']);
  for (;;) {
    await world.sleep(life, 2000 + world.random() * 8000);
    const job = await world.call(life, { path: `/v1/jobs/${wish.jobId}`, key: tenant.key });
    wish.job = job;
    if (job.kind !== 'answer') continue;
    const { status } = job.body;
    if (job.status !== 200 && job.status < 500) return;
    if (status === 'completed' || status === 'failed') {
      const { error } = job.body as { error?: { message?: string } };
      world.note(life.name, `${wish.id} ${wish.jobId} ${status} ${error?.message ?? ''}`);
      return;
    }
  }
}
