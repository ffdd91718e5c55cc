// The input for a recording on this device: choose or drop a file, and follow its upload.
import { Button, ErrorNote } from '../components/basics.tsx';
import { FileButton, useFileDrop } from './file-choice.tsx';
import type { ChosenRecording } from './use-recording.ts';

export function RecordingInput({ recording }: { recording: ChosenRecording }) {
  const { chosen, error, choose, remove } = recording;
  const isOver = useFileDrop(choose);
  return (
    <div className={isOver ? 'drop over' : 'drop'} role="group" aria-label="Recording">
      {chosen ? (
        <p>
          <strong>{chosen.file.name}</strong>{' '}
          <span className="small soft">{sizeText(chosen.file.size)}</span>
        </p>
      ) : null}
      {chosen?.percent === undefined ? null : <Sent percent={chosen.percent} />}
      <div className="row">
        {chosen ? (
          <Button onPress={remove}>{chosen.upload ? 'Remove' : 'Cancel the upload'}</Button>
        ) : (
          <FileButton onChoose={choose}>Choose a file</FileButton>
        )}
        <span className="small soft" role="status">
          {chosen?.upload
            ? 'Uploaded. It will be deleted after the transcription.'
            : chosen
              ? 'Uploading…'
              : 'or drop audio or video anywhere on this page, or enter its address.'}
        </span>
      </div>
      <ErrorNote error={error} />
    </div>
  );
}

function Sent({ percent }: { percent: number }) {
  return (
    <div className="row">
      <progress max={100} value={percent} aria-label="Upload" />
      <span className="small numeric">{percent}%</span>
    </div>
  );
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
