// Plays the recording of a transcript: a file on this device, or an address that the page may load.
import { useEffect, useState } from 'react';
import type { RefObject } from 'react';
import { FileButton } from './file-choice.tsx';
import { isUploadUrl } from './share.ts';

/** A file, an address, or neither. */
export type Source = File | string | undefined;

/** The address that the player loads; undefined when there is none. */
export function useMediaUrl(source: Source): string | undefined {
  const [made, setMade] = useState<string>();
  useEffect(() => {
    if (!(source instanceof File)) return undefined;
    const url = URL.createObjectURL(source);
    setMade(url);
    return () => {
      URL.revokeObjectURL(url);
      setMade(undefined);
    };
  }, [source]);
  if (source instanceof File) return made;
  return source === undefined || isUploadUrl(source) ? undefined : source;
}

interface PlayerProps {
  source: Source;
  /** Whether there is a recording that this person may not play. */
  withheld: boolean;
  src: string | undefined;
  media: RefObject<HTMLVideoElement | null>;
  onChoose: (file: File) => void;
}

export function Player({ source, withheld, src, media, onChoose }: PlayerProps) {
  const [failed, setFailed] = useState<string>();
  const isFailed = src !== undefined && failed === src;
  const reason = isFailed
    ? failureOf(source)
    : src === undefined
      ? missingOf(source, withheld)
      : undefined;
  const shared = {
    ref: media,
    src,
    controls: true,
    'aria-label': 'The recording',
    onError: () => setFailed(src),
  };
  return (
    <>
      {src === undefined || isFailed ? null : isVideo(source) ? (
        <video key={src} {...shared} preload="metadata" playsInline />
      ) : (
        // Nothing is loaded from another host until the person presses play.
        <audio key={src} {...shared} preload={source instanceof File ? 'metadata' : 'none'} />
      )}
      {reason === undefined ? null : (
        <div className="row">
          <span className="small soft">{reason}</span>
          <FileButton onChoose={([file]) => file && onChoose(file)}>Play a file</FileButton>
        </div>
      )}
    </>
  );
}

const choose = 'Choose the file on this device to play it.';

function missingOf(source: Source, withheld: boolean): string | undefined {
  if (source instanceof File) return undefined;
  if (withheld)
    return `The address of the recording is signed, so only members may use it. ${choose}`;
  if (source === undefined) return `The recording is no longer kept. ${choose}`;
  return `The gateway deletes an upload with its job. ${choose}`;
}

function failureOf(source: Source): string {
  if (source instanceof File) return `This browser cannot play “${source.name}”.`;
  return (
    'The recording cannot be played from its address: it cannot be reached from this browser, or ' +
    `it does not support the format. ${choose}`
  );
}

function isVideo(source: Source): boolean {
  if (source instanceof File) return source.type.startsWith('video/');
  return /\.(mp4|m4v|mov|webm|mkv|ogv)$/i.test(URL.parse(source ?? '')?.pathname ?? '');
}
