// What comes back of a recording, on each of the three services.
import { beforeAll, expect } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { runJob, submitJob } from '../jobs.ts';
import { scenario } from '../verifies.ts';

const gateway = sharedGateway();
const services = ['stt_a', 'stt_b', 'stt_c'] as const;
const opening = 'Good morning, and thank you for making the time.';
const SECONDS = 61;
const TURNS = 10;

let earlier: string;
beforeAll(() => {
  earlier = new Date().toISOString();
});

scenario(
  'a recording becomes text, words, speakers, a length and a price on every service',
  [
    'conventions.three-services-transcribe',
    'conventions.timestamps',
    'job.id',
    'job.tool',
    'job.status-values',
    'job.model',
    'job.attempt-status-values',
    'job.created-at',
    'job.finished-at-set',
    'job.every-field-present',
    'job.result-only-when-completed',
    'job-result.text-verbatim',
    'job-result.text-not-rebuilt',
    'job-result.duration',
    'job-result.words',
    'job-result.word-text',
    'job-result.word-times',
    'job-result.provider',
    'job-result.model',
    'job-result.usage',
    'job-result.confidence',
    'job-result.speaker-shape',
    'job-result.speaker-order',
    'job-result.speaker-local',
    'job-states.running-to-completed',
    'job-states.attempt-completed',
    'transcription.diarize.native',
    'transcription.timestamps.native',
    'jobs.read-200',
    'jobs.polling-suffices',
    'usage.transcription-never-negative',
    'money.credits.rounded-up',
  ],
  async () => {
    for (const provider of services) {
      const accepted = await submitJob(gateway(), { provider, diarize: true });
      const job = await runJob(gateway(), { provider, diarize: true });
      expect(job).toMatchObject({ provider, status: 'completed', attempt_status: 'completed' });
      expect(job.error).toBeNull();
      expect(job.model).toBe(accepted.model);
      expect(job.created_at > earlier).toBe(true);
      expect(job.finished_at ?? '').toMatch(/Z$/);
      const { result } = job;
      expect(result?.provider).toBe(provider);
      expect(result?.text).toStartWith(opening);
      // The paragraphs are the provider's own: no word holds them.
      const paragraphs = result?.text.split('\n\n') ?? [];
      expect(paragraphs).toHaveLength(TURNS);
      expect(paragraphs[2]).toBe('What happened to them?');
      expect(Math.floor(result?.duration_seconds ?? 0)).toBeGreaterThanOrEqual(SECONDS);
      const words = result?.words ?? [];
      expect(words.length).toBeGreaterThan(100);
      expect(words[0]?.text).toBe('Good');
      expect(words.map(({ text }) => text).join(' ')).toBe(paragraphs.join(' '));
      expect(words[0]?.confidence).toBeGreaterThan(0.9);
      expect(words.at(-1)?.end).toBeLessThan(SECONDS + 1);
      const speakers = words.map(({ speaker_id }) => speaker_id);
      expect([...new Set(speakers)]).toEqual(['speaker_0', 'speaker_1']);
      const { cost_usd = 0, credits = 0 } = result?.usage ?? {};
      expect(cost_usd).toBeGreaterThan(0);
      expect(credits).toBe(Math.ceil(Number((cost_usd * 1000).toFixed(6))));
    }
  },
);

scenario(
  'words and speakers are there only when they were asked for',
  [
    'job-result.words-left-out',
    'job-result.speaker-only-when-asked',
    'transcription.diarize.default-false',
    'transcription.timestamps.default-word',
  ],
  async () => {
    for (const provider of services) {
      const plain = await runJob(gateway(), { provider });
      const speakers = plain.result?.words?.filter(({ speaker_id }) => speaker_id !== undefined);
      expect(speakers).toEqual([]);
      const quiet = await runJob(gateway(), { provider, timestamps: 'none', diarize: true });
      expect(quiet.result).not.toHaveProperty('words');
      expect(quiet.result?.text).toStartWith(opening);
    }
  },
);

scenario('silence is a transcript without words, and not a failure', ['jobs.silence'], async () => {
  const audio_url = 'https://recordings.example/silence.wav';
  for (const provider of services) {
    const job = await runJob(gateway(), { provider, audio_url });
    expect(job.status).toBe('completed');
    expect(job.result).toMatchObject({ text: '', words: [] });
  }
});

scenario(
  'what is out of reach or no audio fails with a reason, costs nothing, and is a 200',
  [
    'job.error-only-when-failed',
    'job.error-type-and-message',
    'job.error-further-keys',
    'job-states.running-to-failed',
    'job-states.attempt-failed',
    'jobs.failed-job-is-200',
    'jobs.error.audio-unreachable',
    'jobs.error.provider-error',
    'jobs.error.extra-keys',
    'money.transcription.failed-free',
    'money.jobs-read-free',
  ],
  async () => {
    const before = (await gateway().get('/v1/balance')).body;
    for (const provider of services) {
      for (const [name, type] of [
        ['missing.wav', 'audio_unreachable'],
        ['notes.txt', 'provider_error'],
      ]) {
        const audio_url = `https://recordings.example/${name}`;
        const job = await runJob(gateway(), { provider, audio_url });
        expect(job).toMatchObject({ status: 'failed', attempt_status: 'failed', result: null });
        expect(job.error).toMatchObject({ type });
        expect(job.error).toContainKeys(['provider_status', 'provider_code', 'retryable']);
      }
    }
    expect((await gateway().get('/v1/balance')).body).toEqual(before);
  },
);

scenario('ten hours of speech are one transcript like any other', ['jobs.read-200'], async () => {
  const audio_url = 'https://recordings.example/lecture.wav';
  const job = await runJob(gateway(), { audio_url, provider: 'stt_a' });
  expect(job.result?.words?.length).toBeGreaterThanOrEqual(90_000);
  expect(job.result?.duration_seconds).toBe(36_000);
  expect(job.result?.usage?.cost_usd).toBe(2.1);
});
