// Transcripts of recordings, on each of the three services.
import { beforeAll, test } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { hasEnded, readJob, runJob, submitJob, waitForJob } from '../jobs.ts';
import type { JobAnswer } from '../jobs.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway();
const services = ['stt_a', 'stt_b', 'stt_c'] as const;
const opening = 'Good morning, and thank you for making the time.';
const seconds = 61;
const turns = 10;

let earlier: string;
beforeAll(() => {
  earlier = new Date().toISOString();
});

test('every service returns text, words, speakers, a duration and a price', async () => {
  for (const provider of services) {
    const accepted = await submitJob(gateway(), { provider, diarize: true });
    const running = await readJob(gateway(), accepted.id);
    const job = await waitForJob(gateway(), accepted.id, hasEnded);
    proves(['jobs.read-200', 'jobs.polling-suffices', 'job-states.running-to-completed'], () =>
      expect(job).toMatchObject({ provider, status: 'completed', error: null }),
    );
    proves(['conventions.three-services-transcribe', 'job-states.attempt-completed'], () =>
      expect([job.provider, job.attempt_status]).toEqual([provider, 'completed']),
    );
    proves('job.id', () => expect([running.id, job.id]).toEqual([accepted.id, accepted.id]));
    proves(['job.tool', 'job.every-field-present'], () => {
      expect(job.tool).toBe('transcription');
      for (const seen of [running, job]) expect(Object.keys(seen).toSorted()).toEqual(jobFields);
    });
    proves('job.status-values', () =>
      expect(['queued', 'running', 'completed', 'failed']).toContain(running.status),
    );
    proves('job.attempt-status-values', () =>
      expect(['queued', 'submitting', 'waiting', 'completed']).toContain(running.attempt_status),
    );
    proves('job.model', () => expect(job.model).toBe(accepted.model));
    proves('job.created-at', () => {
      expect(job.created_at > earlier).toBe(true);
      expect([running.created_at, job.created_at]).toEqual([
        accepted.created_at,
        accepted.created_at,
      ]);
    });
    proves(['conventions.timestamps', 'job.finished-at-set'], () => {
      for (const time of [job.created_at, job.updated_at, job.finished_at ?? '']) {
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
      }
      expect((job.finished_at ?? '') >= job.created_at).toBe(true);
    });
    proves('job.result-only-when-completed', () => {
      expect(job.result).not.toBeNull();
      if (running.status !== 'completed') expect(running.result).toBeNull();
    });
    checkTranscript(provider, job);
  }
});

test('words and speakers are returned only on request', async () => {
  for (const provider of services) {
    const plain = await runJob(gateway(), { provider });
    proves(['job-result.speaker-only-when-asked', 'transcription.diarize.default-false'], () => {
      const speakers = plain.result?.words?.filter(({ speaker_id }) => speaker_id !== undefined);
      expect(speakers).toEqual([]);
      proves('transcription.timestamps.default-word', () =>
        expect(plain.result?.words?.length).toBeGreaterThan(100),
      );
    });
    const quiet = await runJob(gateway(), { provider, timestamps: 'none', diarize: true });
    proves('job-result.words-left-out', () => expect(quiet.result).not.toHaveProperty('words'));
    expect(quiet.result?.text).toStartWith(opening);
  }
});

test('silence is a transcript without words, and not a failure', async () => {
  const audioUrl = 'https://recordings.example/silence.wav';
  for (const provider of services) {
    const job = await runJob(gateway(), { provider, audio_url: audioUrl });
    proves('jobs.silence', () => {
      expect(job.status).toBe('completed');
      expect(job.result).toMatchObject({ text: '', words: [] });
    });
  }
});

test('unreachable audio and files without audio fail with a reason at no cost', async () => {
  const before = (await gateway().get('/v1/balance')).body;
  for (const provider of services) {
    for (const [name, type] of [
      ['missing.wav', 'audio_unreachable'],
      ['notes.txt', 'provider_error'],
    ]) {
      const audioUrl = `https://recordings.example/${name}`;
      const job = await runJob(gateway(), { provider, audio_url: audioUrl });
      proves(
        [
          'job-states.running-to-failed',
          'job-states.attempt-failed',
          'jobs.failed-job-is-200',
          'job.error-only-when-failed',
        ],
        () =>
          expect(job).toMatchObject({ status: 'failed', attempt_status: 'failed', result: null }),
      );
      proves(
        ['jobs.error.audio-unreachable', 'jobs.error.provider-error', 'job.error-type-and-message'],
        () => expect(job.error).toMatchObject({ type }),
      );
      proves(['job.error-further-keys', 'jobs.error.extra-keys'], () =>
        expect(job.error).toContainKeys(['provider_status', 'provider_code', 'retryable']),
      );
    }
  }
  await proves(['money.transcription.failed-free', 'money.jobs-read-free'], async () =>
    expect((await gateway().get('/v1/balance')).body).toEqual(before),
  );
});

const jobFields = [
  'attempt_status',
  'created_at',
  'error',
  'finished_at',
  'id',
  'model',
  'provider',
  'result',
  'status',
  'tool',
  'updated_at',
];

function checkTranscript(provider: string, { result, model }: JobAnswer): void {
  proves(['job-result.provider', 'job-result.model'], () =>
    expect([result?.provider, result?.model]).toEqual([provider as 'stt_a', model]),
  );
  const paragraphs = result?.text.split('\n\n') ?? [];
  const words = result?.words ?? [];
  proves('job-result.text-verbatim', () => {
    expect(result?.text).toStartWith(opening);
    expect(paragraphs[2]).toBe('What happened to them?');
  });
  // Paragraphs exist only in the text of the provider: no word holds them.
  proves('job-result.text-not-rebuilt', () => expect(paragraphs).toHaveLength(turns));
  proves('job-result.duration', () =>
    expect(Math.floor(result?.duration_seconds ?? 0)).toBeGreaterThanOrEqual(seconds),
  );
  proves(['job-result.words', 'transcription.timestamps.native'], () =>
    expect(words.length).toBeGreaterThan(100),
  );
  proves('job-result.word-text', () =>
    expect(words.map(({ text }) => text).join(' ')).toBe(paragraphs.join(' ')),
  );
  proves('job-result.word-times', () => {
    for (const { start, end } of words) {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeGreaterThanOrEqual(start);
    }
    expect(words.at(-1)?.end).toBeLessThan(seconds + 1);
  });
  proves('job-result.confidence', () => expect(words[0]?.confidence).toBeGreaterThan(0.9));
  const speakers = [...new Set(words.map(({ speaker_id }) => speaker_id))];
  proves(['job-result.speaker-shape', 'job-result.speaker-order', 'job-result.speaker-local'], () =>
    expect(speakers).toEqual(['speaker_0', 'speaker_1']),
  );
  proves('transcription.diarize.native', () => expect(speakers).toHaveLength(2));
  const { cost_usd = 0, credits = 0 } = result?.usage ?? {};
  proves('job-result.usage', () => expect(cost_usd).toBeGreaterThan(0));
  proves('money.credits.rounded-up', () =>
    expect(credits).toBe(Math.ceil(Number((cost_usd * 1000).toFixed(6)))),
  );
}
