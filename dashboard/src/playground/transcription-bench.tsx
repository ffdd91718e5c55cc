// Transcription by hand: a recording's address in, a job that is watched, a transcript out.
import { useMemo, useState } from 'react';
import type { Job, TranscriptionRequestInput, Warning } from '@trivium/contract';
import { talkFor } from '../api/http.ts';
import { providerName } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { Select } from '../parts/field.tsx';
import { useSession } from '../shell/session.tsx';
import { AnswerHead, Raw } from './answer-head.tsx';
import { Bench, issuesOf, providerOptions, providersOf, servedBy } from './bench.tsx';
import type { BenchProps } from './bench.tsx';
import { fieldsOf, requestFrom } from './form-fields.ts';
import type { Filled } from './form-fields.ts';
import { JobProgress } from './job-progress.tsx';
import { TranscriptView } from './transcript.tsx';

export function TranscriptionBench({ all, schema }: BenchProps) {
  const { account } = useSession();
  const [provider, setProvider] = useState('auto');
  const [filled, setFilled] = useState<Filled>({});
  const [job, setJob] = useState<Job>();
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const candidates = providersOf(all, schema);
  const request = {
    ...requestFrom(fields, filled),
    provider,
  } as unknown as TranscriptionRequestInput;
  const send = useAction(async () => {
    setJob(undefined);
    setWarnings([]);
    const { client } = talkFor(account.id);
    const accepted = await client.transcribe(request);
    setWarnings(accepted.warnings);
    setJob(await client.jobs.wait(accepted.id, { on_progress: setJob }));
  });
  return (
    <Bench
      tool="transcription"
      request={request}
      send={send}
      verb="Transcribe"
      working="Transcribing"
      who={
        <Select
          label="provider"
          options={providerOptions(candidates)}
          value={provider}
          onChange={setProvider}
        />
      }
      form={{
        fields,
        first: ['audio_url', 'diarize'],
        providers: servedBy(candidates, provider),
        filled,
        onFill: (path, value) => setFilled((before) => ({ ...before, [path]: value })),
        warnings,
        issues: issuesOf(send.error),
      }}
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
              <TranscriptView transcript={job.result} audio_url={filled['audio_url'] ?? ''} />
            ) : null}
            <Raw value={job} />
          </>
        ) : undefined
      }
    />
  );
}
