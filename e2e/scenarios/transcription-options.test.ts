// What reaches a speech service of what was asked for, and what is said about the rest.
import { afterAll, beforeAll, expect } from 'bun:test';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { Accepted, hasEnded, interview, runJob, submitJob, waitForJob } from '../jobs.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import type { SandboxProcess } from '../sandbox-process.ts';
import { InvalidRequest } from '../shapes.ts';
import { scenario } from '../verifies.ts';

let sandbox: SandboxProcess;
let gateway: Gateway;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
  gateway = await startGateway({ sandbox: sandbox.url });
});
afterAll(async () => {
  await gateway.close();
  await sandbox.stop();
});

/** What was submitted to each service, body, form and query together. */
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

scenario(
  'a language reaches every service, and without one each detects it',
  [
    'transcription.language.native',
    'transcription.language.detected',
    'job-result.language-shape',
    'job-result.language-detected-or-asked',
    'transcription.audio-url.signed',
  ],
  async () => {
    const audio_url = `${interview}?signature=a%2Bb&expires=9`;
    const asked = await runOnAll({ language: 'de', audio_url });
    expect(asked.map(({ result }) => result?.language)).toEqual(['de', 'de', 'de']);
    expect(await submissions()).toMatchObject([
      { audio_url, language_code: 'de', language_detection: false },
      { url: audio_url, language: 'de' },
      { source_url: audio_url, language_code: 'de' },
    ]);
    const detected = await runOnAll({});
    expect(detected.map(({ result }) => result?.language)).toEqual(['en-US', 'en', 'en']);
    const [a, b, c] = await submissions();
    expect(a).toMatchObject({ language_detection: true });
    expect(b).toMatchObject({ detect_language: 'true' });
    expect(c).not.toHaveProperty('language_code');
  },
);

scenario(
  'each service is given a language in its own code, or the base of it, or none',
  ['jobs.language.mapped'],
  async () => {
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
      const heard = jobs.map(({ result }) => result?.language);
      const warned = receipts.map(({ warnings }) => warnings.map(({ code }) => code));
      return { sent, heard, warned };
    };
    const plain = [[], [], []];
    const near = ['param_approximated'];
    expect(await ask('fil')).toEqual({
      sent: ['tl', 'tl', 'fil'],
      heard: ['fil', 'fil', 'fil'],
      warned: plain,
    });
    expect(await ask('nob')).toMatchObject({ sent: ['no', 'no', 'no'], warned: plain });
    expect(await ask('en-GB')).toMatchObject({
      sent: ['en_uk', 'en', 'en'],
      heard: ['en-GB', 'en-GB', 'en-GB'],
      warned: [[], near, near],
    });
    expect(await ask('chr')).toMatchObject({
      sent: [undefined, undefined, undefined],
      heard: ['en-US', 'en', 'en'],
      warned: [['param_ignored'], ['param_ignored'], ['param_ignored']],
    });
  },
);

scenario(
  'keyterms reach the models that take them; elsewhere they are a warning, or a 400 under strict',
  [
    'transcription.keyterms.native-stt-a',
    'transcription.keyterms.newest-stt-b',
    'transcription.keyterms.newest-stt-c',
    'transcription.keyterms.ignored',
    'transcription.keyterms.strict',
    'transcription.strict.default-false',
    'jobs.warning-codes',
    'transcribe.accepted-warnings-empty',
  ],
  async () => {
    const keyterms = ['Harbor Point', 'HP-77'];
    for (const provider of services) {
      const { warnings } = await submitJob(gateway, { provider, keyterms, strict: true });
      expect(warnings).toEqual([]);
    }
    await runOnAll({ keyterms });
    expect(await submissions()).toMatchObject([
      { keyterms_prompt: keyterms },
      { keyterm: keyterms },
      { keyterms },
    ]);
    const older = [
      { provider: 'stt_b', provider_options: { stt_b: { model: 'nova-2' } } },
      { provider: 'stt_c', provider_options: { stt_c: { model_id: 'scribe_v1' } } },
    ];
    for (const body of older) {
      const { warnings } = await submitJob(gateway, { ...body, keyterms });
      expect(warnings).toMatchObject([{ code: 'param_ignored', param: 'keyterms' }]);
      const strict = { audio_url: interview, ...body, keyterms, strict: true };
      const refused = await gateway.post('/v1/transcriptions', strict);
      expect(refused.status).toBe(400);
      const { issues } = InvalidRequest.parse(refused.body).error.detail;
      expect(issues).toMatchObject([{ path: 'keyterms', code: 'param_ignored' }]);
    }
  },
);

scenario(
  'the model is chosen through the options of the service and named in the receipt',
  [
    'transcription.provider-options.model-stt-a',
    'transcription.provider-options.model-stt-b',
    'transcription.provider-options.model-stt-c',
    'jobs.model-in-202',
  ],
  async () => {
    const chosen = [
      { provider: 'stt_a', provider_options: { stt_a: { model: 'universal-2' } } },
      { provider: 'stt_b', provider_options: { stt_b: { model: 'nova-2' } } },
      { provider: 'stt_c', provider_options: { stt_c: { model_id: 'scribe_v2_medical' } } },
    ];
    const models = ['universal-2', 'nova-2', 'scribe_v2_medical'];
    for (const [at, body] of chosen.entries()) {
      expect((await submitJob(gateway, body)).model).toBe(models[at] ?? '');
      expect((await runJob(gateway, body)).result?.model).toBe(models[at] ?? '');
    }
    expect(await submissions()).toMatchObject([
      { speech_models: ['universal-2'] },
      { model: 'nova-2' },
      { model_id: 'scribe_v2_medical' },
    ]);
  },
);

scenario(
  'addresses, callbacks and authentication cannot be set through options; each is named',
  [
    'transcription.provider-options.transport-refused',
    'requests.options.transport-stt-a',
    'requests.options.transport-stt-b',
    'requests.options.transport-stt-c',
  ],
  async () => {
    const refused: Record<string, string[]> = {
      stt_a: ['webhook_url', 'webhook_auth_header_value', 'audio_url', 'speech_models', 'headers'],
      stt_b: ['callback', 'callback_method', 'url', 'tag', 'extra', 'Authorization'],
      stt_c: ['webhook', 'webhook_id', 'source_url', 'cloud_storage_url', 'xi-api-key', 'token'],
    };
    for (const [provider, keys] of Object.entries(refused)) {
      const options = Object.fromEntries(keys.map((key) => [key, 'x']));
      const body = { audio_url: interview, provider, provider_options: { [provider]: options } };
      const answer = await gateway.post('/v1/transcriptions', body);
      expect(answer.status).toBe(400);
      const { issues } = InvalidRequest.parse(answer.body).error.detail;
      expect(issues.map(({ path }) => path)).toEqual(
        keys.map((key) => `provider_options.${provider}.${key}`),
      );
    }
  },
);

scenario(
  'auto takes the first configured service, and the job shows which one',
  [
    'transcription.provider.default-auto',
    'choice.auto.transcription',
    'job.provider-resolved',
    'transcribe.accepted-202',
    'transcribe.accepted-body',
    'job-states.starts-queued',
    'identifiers.job-shape',
    'money.ids.job-suffix',
    'choice.404.never-on-submit',
  ],
  async () => {
    const plain = await gateway.post('/v1/transcriptions', { audio_url: interview });
    expect(plain.status).toBe(202);
    expect(Accepted.parse(plain.body)).toMatchObject({ provider: 'stt_a', status: 'queued' });
    const { id } = Accepted.parse(plain.body);
    // Version 7: the ids of jobs sort by the time of their making.
    expect(id).toMatch(/^job_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const env = { ASSEMBLYAI_API_KEY: undefined };
    await using other = await startGateway({ sandbox: sandbox.url, env });
    expect((await submitJob(other, { provider: 'auto' })).provider).toBe('stt_b');
  },
);

scenario(
  'a service without a credential is a 503, and so is auto without any',
  ['choice.503.transcription-no-credential', 'errors.transcription.503'],
  async () => {
    await using bare = await startGateway({ env: { TRIVIUM_SANDBOX: 'off' } });
    for (const provider of ['stt_a', 'stt_b', 'stt_c', 'auto']) {
      const answer = await bare.post('/v1/transcriptions', { audio_url: interview, provider });
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({ error: { type: 'provider_not_configured' } });
    }
  },
);
