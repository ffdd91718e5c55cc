// The recording that a person chose on this device: uploaded, and kept for playback.
import { useEffect, useRef, useState } from 'react';
import type { Upload } from '@trivium/contract';
import type { Client } from '@trivium/sdk';
import { gatewayClientFor } from '../api/clients.ts';
import { uploadFile } from '../api/upload-file.ts';
import { asError } from '../api/errors.ts';

interface Chosen {
  file: File;
  /** How much has been sent; undefined once the upload is complete. */
  percent?: number | undefined;
  upload?: Upload | undefined;
}

export interface ChosenRecording {
  chosen: Chosen | undefined;
  error: Error | undefined;
  choose: (files: readonly File[]) => void;
  /** Cancels the upload, or deletes the uploaded file. */
  remove: () => void;
  /** The file at this address, if it was chosen here. */
  fileAt: (audioUrl: string) => File | undefined;
  /** The address to transcribe. An upload that was deleted with its job is sent again. */
  addressFor: (audioUrl: string) => Promise<string>;
}

/** `onAddress` receives the address of an upload, or nothing while there is none. */
export function useRecording(
  accountId: string,
  onAddress: (audioUrl: string) => void,
): ChosenRecording {
  const [chosen, setChosen] = useState<Chosen>();
  const [error, setError] = useState<Error>();
  const running = useRef<AbortController>(undefined);
  /** Uploads that a job may need. */
  const submitted = useRef(new Set<string>());
  // The form may have changed while the file was sent.
  const announce = useRef(onAddress);
  announce.current = onAddress;
  useEffect(() => () => running.current?.abort(), []);
  const { client } = gatewayClientFor(accountId);

  const send = async (file: File): Promise<Upload> => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const isCurrent = () => running.current === own;
    setError(undefined);
    setChosen({ file, percent: 0 });
    announce.current('');
    try {
      const upload = await uploadFile(file, {
        accountId,
        signal: own.signal,
        onProgress: (percent) => isCurrent() && setChosen({ file, percent }),
      });
      setChosen({ file, upload });
      announce.current(upload.audio_url);
      return upload;
    } catch (reason) {
      if (isCurrent()) setChosen(undefined);
      throw reason;
    }
  };
  const discard = () => {
    const id = chosen?.upload?.id;
    if (id === undefined || submitted.current.has(id)) return;
    // The gateway deletes it after a day anyway.
    client.uploads.delete(id).catch(() => undefined);
  };
  const choose = (files: readonly File[]) => {
    const [file, ...others] = files;
    if (file === undefined) return;
    if (others.length > 0) {
      setError(new Error('One recording at a time: choose a single file.'));
      return;
    }
    discard();
    send(file).catch((reason: unknown) => {
      const { name } = asError(reason);
      if (name !== 'AbortError') setError(asError(reason));
    });
  };
  const fileAt = (audioUrl: string) =>
    chosen?.upload?.audio_url === audioUrl ? chosen.file : undefined;
  return {
    chosen,
    error,
    choose,
    fileAt,
    remove: () => {
      discard();
      running.current?.abort();
      running.current = undefined;
      setChosen(undefined);
      setError(undefined);
      if (chosen?.upload) announce.current('');
    },
    addressFor: async (audioUrl) => {
      const file = fileAt(audioUrl);
      if (!file || !chosen?.upload) return audioUrl;
      const upload = (await isKept(client, chosen.upload)) ? chosen.upload : await send(file);
      submitted.current.add(upload.id);
      return upload.audio_url;
    },
  };
}

async function isKept(client: Client, { id }: Upload): Promise<boolean> {
  try {
    await client.uploads.get(id);
    return true;
  } catch (reason) {
    if ((reason as { status?: unknown }).status === 404) return false;
    throw reason;
  }
}
