// Transcription by hand: a recording's address in, a job that is watched, a transcript out.
import { useState } from 'react';
import type { Job, TranscriptionRequestInput, Warning } from '@trivium/contract';
import { talkFor } from '../api/http.ts';
import { providerName } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { useSession } from '../shell/session.tsx';
import { AnswerHead, Raw } from './answer-head.tsx';
import { Bench, issuesOf } from './bench.tsx';
import type { BenchProps } from './bench.tsx';
import { JobProgress } from './job-progress.tsx';
import { TranscriptView } from './transcript.tsx';
import { useRequest } from './use-request.tsx';

export function TranscriptionBench({ all, schema }: BenchProps) {
  const { account } = useSession();
  const { request, who, form } = useRequest({ all, schema });
  const [job, setJob] = useState<Job>();
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  const send = useAction(async () => {
    setJob(undefined);
    setWarnings([]);
    const { client } = talkFor(account.id);
    const accepted = await client.transcribe(request as unknown as TranscriptionRequestInput);
    setWarnings(accepted.warnings);
    setJob(await client.jobs.wait(accepted.id, { on_progress: setJob }));
  });
  const told = { warnings, issues: issuesOf(send.error) };
  return (
    <Bench
      tool="transcription"
      request={request}
      send={send}
      verb="Transcribe"
      working="Transcribing"
      who={who}
      form={{ ...form, ...told, first: ['audio_url', 'diarize'] }}
      answer={
        job ? (
          <>
            <AnswerHead
              provider={providerName(all, job.provider)}
              usage={job.result?.usage}
              warnings={warnings}
            />
            <JobProgress job={job} />
            {job.result ? (
              <TranscriptView transcript={job.result} audio_url={form.filled['audio_url'] ?? ''} />
            ) : null}
            <Raw value={job} />
          </>
        ) : undefined
      }
    />
  );
}
