// The playground's form for transcription: uploads or names a recording, and follows its job.
import { useState } from 'react';
import type { Job, TranscriptionRequestInput, Warning } from '@trivium/contract';
import { gatewayClientFor } from '../api/clients.ts';
import { providerName } from '../api/names.ts';
import { issuesOf } from '../api/errors.ts';
import { useAction } from '../api/use-action.ts';
import { useStoredState } from '../components/use-stored-state.ts';
import { useSession } from '../shell/session.tsx';
import { ResponseHead, Raw } from './response-head.tsx';
import { ToolLayout } from './tool-layout.tsx';
import type { ToolProps } from './tool-layout.tsx';
import { JobProgress } from './job-progress.tsx';
import type { Source } from './player.tsx';
import { RecordingInput } from './recording-input.tsx';
import { recordRequest } from './record-request.ts';
import { TranscriptView } from './transcript.tsx';
import { useRecording } from './use-recording.ts';
import { useRequest } from './use-request.tsx';

export function TranscriptionTool({ all, schema }: ToolProps) {
  const { account } = useSession();
  const { request, who, form, ...kept } = useRequest<TranscriptionRequestInput>('transcription', {
    all,
    schema,
  });
  const recording = useRecording(account.id, (url) => form.onFill('audio_url', url));
  const [last, setJob] = useStoredState<Job | undefined>(
    `transcription answer ${account.id}`,
    () => undefined,
  );
  // After a reload, a job that was running is only on the jobs page.
  const [found] = useState(last);
  const job = last === found && last?.result === undefined ? undefined : last;
  /** The recording of the job, which stays when the form changes. */
  const [source, setSource] = useState<Source>();
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  const send = useAction(async () => {
    setJob(undefined);
    setWarnings([]);
    const named = (form.filled['audio_url'] ?? '').trim();
    setSource(recording.fileAt(named) ?? named);
    const address = await recording.addressFor(named);
    const { client } = gatewayClientFor(account.id);
    const accepted = await client.transcribe({ ...request, audio_url: address });
    setWarnings(accepted.warnings);
    const waiting = client.jobs.wait(accepted.id, { on_progress: setJob });
    setJob(await recordRequest(kept, 'transcription', waiting, ({ result }) => result.usage));
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
      way={<RecordingInput recording={recording} />}
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
              <TranscriptView key={job.id} transcript={job.result} source={source} />
            ) : null}
            <Raw value={job} />
          </>
        ) : undefined
      }
    />
  );
}
