// Which options reach a speech service, and what the caller is warned about.
import { beforeAll, test } from 'bun:test';
import { z } from 'zod';
import { sharedSandbox, startGateway } from '../harness.ts';
import type { WithSandbox } from '../harness.ts';
import { Accepted, hasEnded, interview, runJob, submitJob, waitForJob } from '../jobs.ts';
import { InvalidRequest } from '../shapes.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
let { gateway, sandbox } = {} as WithSandbox;
beforeAll(() => {
  ({ gateway, sandbox } = pair());
});

/** The last submission to each service: body, form and query together. */
async function submissions(): Promise<Record<string, unknown>[]> {
  const mounts = ['/assemblyai', '/deepgram', '/elevenlabs'] as const;
  const calls = await Promise.all(mounts.map((mount) => sandbox.calls(mount)));
  return calls.map((list) => {
    const last = list.filter(({ method }) => method === 'POST').at(-1);
    return { ...last?.query, ...(last?.body as object) };
  });
}

const services = ['stt_a', 'stt_b', 'stt_c'];
const runOnAll = async (body: object) => {
  const jobs = [];
  for (const provider of services) jobs.push(await runJob(gateway, { provider, ...body }));
  return jobs;
};

test('a language reaches every service, and without one each service detects it', async () => {
  const audioUrl = `${interview}?signature=a%2Bb&expires=9`;
  const asked = await runOnAll({ language: 'de', audio_url: audioUrl });
  proves('job-result.language-detected-or-asked', () =>
    expect(asked.map(({ result }) => result?.language)).toEqual(['de', 'de', 'de']),
  );
  await proves(['transcription.language.native', 'transcription.audio-url.signed'], async () =>
    expect(await submissions()).toMatchObject([
      { audio_url: audioUrl, language_code: 'de', language_detection: false },
      { url: audioUrl, language: 'de' },
      { source_url: audioUrl, language_code: 'de' },
    ]),
  );
  const detected = await runOnAll({});
  proves(['job-result.language-detected-or-asked', 'job-result.language-shape'], () =>
    expect(detected.map(({ result }) => result?.language)).toEqual(['en-US', 'en', 'en']),
  );
  const [a, b, c] = await submissions();
  proves('transcription.language.detected', () => {
    expect(a).toMatchObject({ language_detection: true });
    expect(b).toMatchObject({ detect_language: 'true' });
    expect(c).not.toHaveProperty('language_code');
  });
});

test('each service receives a language in its own code, as its base, or not at all', async () => {
  const ask = async (language: string) => {
    const receipts = [];
    for (const provider of services) {
      receipts.push(await submitJob(gateway, { provider, language }));
    }
    const jobs = [];
    for (const { id } of receipts) jobs.push(await waitForJob(gateway, id, hasEnded));
    expect(jobs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    const sent = (await submissions()).map((fields) => {
      const { language_code, language: tag } = fields;
      return language_code ?? tag;
    });
    const detected = jobs.map(({ result }) => result?.language);
    const warned = receipts.map(({ warnings }) => warnings.map(({ code }) => code));
    return { sent, detected, warned };
  };
  const near = ['param_approximated'];
  await proves('jobs.language.mapped', async () => {
    expect(await ask('en-GB')).toMatchObject({
      sent: ['en_uk', 'en-GB', 'en'],
      detected: ['en-GB', 'en-GB', 'en-GB'],
      warned: [[], [], near],
    });
    expect(await ask('chr')).toMatchObject({
      sent: [undefined, undefined, undefined],
      detected: ['en-US', 'en', 'en'],
      warned: [['param_ignored'], ['param_ignored'], ['param_ignored']],
    });
  });
});

const keyterms = ['Harbor Point', 'HP-77'];

test('keyterms reach models that accept them', async () => {
  for (const provider of services) {
    const { warnings } = await submitJob(gateway, { provider, keyterms, strict: true });
    proves('transcribe.accepted-warnings-empty', () => expect(warnings).toEqual([]));
  }
  await runOnAll({ keyterms });
  await proves(
    [
      'transcription.keyterms.native-stt-a',
      'transcription.keyterms.newest-stt-b',
      'transcription.keyterms.newest-stt-c',
    ],
    async () =>
      expect(await submissions()).toMatchObject([
        { keyterms_prompt: keyterms },
        { keyterm: keyterms },
        { keyterms },
      ]),
  );
});

test('the options of a service choose the model, and the answer names it', async () => {
  const chosen = [
    {
      provider: 'stt_a',
      provider_options: { stt_a: { model: 'universal-2', auto_chapters: true } },
    },
    { provider: 'stt_b', provider_options: { stt_b: { model: 'nova-2' } } },
    { provider: 'stt_c', provider_options: { stt_c: { model_id: 'scribe_v2_medical' } } },
  ];
  const models = ['universal-2', 'nova-2', 'scribe_v2_medical'];
  for (const [at, body] of chosen.entries()) {
    await proves('jobs.model-in-202', async () =>
      expect((await submitJob(gateway, body)).model).toBe(models[at] ?? ''),
    );
    expect((await runJob(gateway, body)).result?.model).toBe(models[at] ?? '');
  }
  await proves(
    [
      'transcription.provider-options.model-stt-a',
      'transcription.provider-options.model-stt-b',
      'transcription.provider-options.model-stt-c',
      'jobs.model-in-202',
      'transcription.provider-options.verbatim',
    ],
    async () =>
      expect(await submissions()).toMatchObject([
        { speech_models: ['universal-2'], auto_chapters: true },
        { model: 'nova-2' },
        { model_id: 'scribe_v2_medical' },
      ]),
  );
});

test('auto chooses the first configured service, and the job names it', async () => {
  const plain = await gateway.post('/v1/transcriptions', { audio_url: interview });
  proves(['transcribe.accepted-202', 'choice.404.never-on-submit'], () =>
    expect(plain.status).toBe(202),
  );
  const accepted = Accepted.parse(plain.body);
  proves(['job-states.starts-queued', 'transcription.provider.default-auto'], () =>
    expect(accepted).toMatchObject({ provider: 'stt_a', status: 'queued' }),
  );
  proves('transcribe.accepted-body', () =>
    expect(Object.keys(accepted).toSorted()).toEqual(
      ['created_at', 'id', 'model', 'provider', 'status', 'tool', 'warnings'].toSorted(),
    ),
  );
  const { id } = accepted;
  // Version 7: the ids of jobs sort by creation time.
  proves(['identifiers.job-shape', 'money.ids.job-suffix'], () =>
    expect(id).toMatch(/^job_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  );
  const env = { ASSEMBLYAI_API_KEY: undefined };
  await using other = await startGateway({ sandbox: sandbox.url, env });
  await proves(['choice.auto.transcription', 'job.provider-resolved'], async () =>
    expect((await submitJob(other, { provider: 'auto' })).provider).toBe('stt_b'),
  );
});

test.each([
  ['keyterms', { provider: 'stt_b', provider_options: { stt_b: { model: 'nova-2' } }, keyterms }],
  [
    'keyterms',
    { provider: 'stt_c', provider_options: { stt_c: { model_id: 'scribe_v1' } }, keyterms },
  ],
  [
    'language',
    { provider: 'stt_b', language: 'de', provider_options: { stt_b: { model: 'nova-3-medical' } } },
  ],
  [
    'language',
    { provider: 'stt_a', language: 'fr', provider_options: { stt_a: { language_code: 'de' } } },
  ],
  [
    'diarize',
    { provider: 'stt_c', diarize: true, provider_options: { stt_c: { diarize: false } } },
  ],
])('%s that would be a warning is refused under strict', async (param, body) => {
  const { warnings } = await submitJob(gateway, body);
  proves(
    [
      'transcription.keyterms.ignored',
      'transcription.strict.default-false',
      'jobs.warning-codes',
      'transcription.keyterms.newest-stt-b',
      'transcription.keyterms.newest-stt-c',
    ],
    () =>
      expect(warnings.map((one) => [one.param, codes.includes(one.code)])).toEqual([[param, true]]),
  );
  const before = await gateway.get('/v1/jobs?limit=100');
  const asked = { audio_url: interview, ...body, strict: true };
  const refused = await gateway.post('/v1/transcriptions', asked);
  await proves(['transcription.keyterms.strict', 'transcription.strict.refused'], async () => {
    expect(refused.status).toBe(400);
    const { issues } = InvalidRequest.parse(refused.body).error.detail;
    expect(issues.map(({ path }) => path)).toEqual([param]);
    const ids = ({ body: list }: { body: unknown }) => JobIds.parse(list).jobs.map(({ id }) => id);
    expect(ids(await gateway.get('/v1/jobs?limit=100')).toSorted()).toEqual(ids(before).toSorted());
  });
});

const codes = ['param_ignored', 'param_approximated'];
const JobIds = z.object({ jobs: z.array(z.object({ id: z.string() })) });
