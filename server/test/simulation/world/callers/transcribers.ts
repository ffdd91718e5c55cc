// Callers who have recordings transcribed: from an address, as an upload, or in OpenAI's shape.
import { ask, begin, insist, keyed } from './asking.ts';
import type { Caller, Try, Turn, Operation } from './caller.ts';
import { inParts, recording } from './recordings.ts';
import { jobIdIn } from './requests.ts';

export const transcribers = {
  submitter: (caller) => insist(caller, keyed(begin(caller, 'transcribe'))),
  transcriber: async (caller) => {
    const { world } = caller;
    const count = !world.shared && world.random() < 0.3 ? 4 : 1;
    const operations = Array.from({ length: count }, () => keyed(begin(caller, 'transcribe')));
    await Promise.all(
      operations.map(async (operation) => {
        await insist(caller, operation);
        await followJob(caller, operation);
      }),
    );
  },
  uploader: async (caller) => {
    const { world } = caller;
    const upload = await uploadOne(caller);
    if (!upload) return;
    if (world.random() < 0.2) return removeUpload(caller, upload);
    const operation = keyed(begin(caller, 'transcribe'));
    operation.upload = upload;
    await insist(caller, operation);
    await followJob(caller, operation);
  },
  openai: async (caller) => {
    const { world } = caller;
    if (world.random() < 0.2) {
      await ask(caller, begin(caller, 'other'), { path: '/v1/models', key: '' });
    }
    const operation = keyed(begin(caller, 'transcribe'));
    operation.isForm = true;
    await insist(caller, operation, world.random() < 0.4 ? 10_000 : undefined);
    const jobId = jobIdIn(operation.tries.at(-1)?.answer);
    if (jobId !== undefined) operation.jobId = jobId;
  },
} satisfies Record<string, Turn>;

const maxUploads = 5;
const largeShare = 0.3;

/** Uploads have no key: each try is another upload. */
async function uploadOne(caller: Caller): Promise<Operation['upload']> {
  const { world, life } = caller;
  for (let count = 0; count < maxUploads; count += 1) {
    const operation = begin(caller, 'upload');
    const headers = { 'content-type': 'audio/wav' };
    const patience = world.random() < 0.1 ? { patienceMs: world.random() * 1000 } : {};
    const request = {
      path: '/v1/uploads',
      key: '',
      parts: inParts(recording(world.random() < largeShare)),
      headers,
    };
    const answer = await ask(caller, operation, { ...request, ...patience });
    if (answer.kind === 'answer' && answer.status === 201) {
      const { id, audio_url } = answer.body;
      return { id: String(id), audio_url: String(audio_url) };
    }
    if (answer.kind === 'answer' && answer.status === 402) return undefined;
    await world.sleep(life, 500 + world.random() * 3000);
  }
  return undefined;
}

async function removeUpload(
  caller: Caller,
  { id }: NonNullable<Operation['upload']>,
): Promise<void> {
  for (const operation of caller.operations) {
    const isOf = ({ answer }: Try) => answer?.kind === 'answer' && answer.body['id'] === id;
    if (operation.kind === 'upload' && operation.tries.some(isOf)) operation.isDeleted = true;
  }
  const path = `/v1/uploads/${id}`;
  await ask(caller, begin(caller, 'other'), { path, key: '', method: 'DELETE' });
}

/** Asks until the job has ended; jobs have a deadline, so this ends. */
async function followJob(caller: Caller, operation: Operation): Promise<void> {
  const { world, life, tenant } = caller;
  const answer = operation.tries.at(-1)?.answer;
  if (answer?.kind !== 'answer' || answer.status !== 202) return;
  operation.jobId = String(answer.body['id']);
  for (;;) {
    await world.sleep(life, 2000 + world.random() * 8000);
    const job = await world.call(life, { path: `/v1/jobs/${operation.jobId}`, key: tenant.key });
    operation.job = job;
    if (job.kind !== 'answer') continue;
    const { status } = job.body;
    if (job.status !== 200 && job.status < 500) return;
    if (status === 'completed' || status === 'failed') {
      const { error } = job.body as { error?: { message?: string } };
      world.note(life.name, `${operation.id} ${operation.jobId} ${status} ${error?.message ?? ''}`);
      return;
    }
  }
}
