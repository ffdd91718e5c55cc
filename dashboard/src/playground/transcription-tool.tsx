// The playground's form for transcription: submits a recording and follows its job.
import { useState } from 'react';
import type { Job, TranscriptionRequestInput, Warning } from '@trivium/contract';
import { gatewayClientFor } from '../api/http.ts';
import { providerName } from '../api/names.ts';
import { issuesOf } from '../api/refusals.ts';
import { useAction } from '../api/use-action.ts';
import { useSession } from '../shell/session.tsx';
import { ResponseHead, Raw } from './response-head.tsx';
import { ToolLayout } from './tool-layout.tsx';
import type { ToolProps } from './tool-layout.tsx';
import { JobProgress } from './job-progress.tsx';
import { remember } from './remember.ts';
import { TranscriptView } from './transcript.tsx';
import { useRequest } from './use-request.tsx';

export function TranscriptionTool({ all, schema }: ToolProps) {
  const { account } = useSession();
  const { request, who, form, ...kept } = useRequest('transcription', { all, schema });
  const [job, setJob] = useState<Job>();
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  const send = useAction(async () => {
    setJob(undefined);
    setWarnings([]);
    const { client } = gatewayClientFor(account.id);
    const accepted = await client.transcribe(request as unknown as TranscriptionRequestInput);
    setWarnings(accepted.warnings);
    const waiting = client.jobs.wait(accepted.id, { on_progress: setJob });
    setJob(await remember(kept, 'transcription', waiting, ({ result }) => result.usage));
  });
  const feedback = { warnings, issues: issuesOf(send.error) };
  return (
    <ToolLayout
      tool="transcription"
      requests={[request]}
      {...kept}
      send={send}
      verb="Transcribe"
      working="Transcribing"
      who={who}
      form={{ ...form, ...feedback, first: ['audio_url', 'diarize'] }}
      answer={
        job ? (
          <>
            <ResponseHead
              provider={providerName(job.provider)}
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
