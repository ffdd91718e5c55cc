// Recordings to upload: real WAV files of any size, and what the vendors say that they received.
import { createCipheriv, createHash } from 'node:crypto';
import type { Gateway } from '../harness.ts';

const headerBytes = 44;
const sampleRate = 16_000;

/** A WAV file of exactly this size; another seed makes other bytes. */
export function makeWav(bytes: number, seed = 1): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(bytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(bytes - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(bytes - headerBytes, 40);
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16, `seed ${seed}`), Buffer.alloc(16));
  file.set(noise.update(Buffer.alloc(bytes - headerBytes)), headerBytes);
  return new Uint8Array(file.buffer, file.byteOffset, bytes);
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface Uploaded {
  id: string;
  audio_url: string;
  bytes: number;
  duration_seconds: number | null;
  expires_at: string;
}

/** Sends the file as the body; as a form where a name is given. */
export async function postFile(
  { url, key }: Pick<Gateway, 'url' | 'key'>,
  bytes: Uint8Array<ArrayBuffer>,
  name?: string,
): Promise<{ status: number; body: unknown }> {
  const form = new FormData();
  if (name !== undefined) form.set('file', new Blob([bytes]), name);
  const type = name === undefined ? { 'content-type': 'audio/wav' } : undefined;
  const response = await fetch(`${url}/v1/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...type },
    body: name === undefined ? bytes : form,
  });
  return { status: response.status, body: await response.json() };
}

export async function upload(
  gateway: Pick<Gateway, 'url' | 'key'>,
  bytes: Uint8Array<ArrayBuffer>,
  name?: string,
): Promise<Uploaded> {
  const { status, body } = await postFile(gateway, bytes, name);
  if (status !== 201) throw new Error(`not stored: ${status} ${JSON.stringify(body)}`);
  return body as Uploaded;
}

interface Accepted {
  mount: string;
  audio_url: string | null;
  file: { bytes: number; sha256: string } | null;
}

/** What the speech vendors of a sandbox accepted. */
export async function acceptedBy(sandboxUrl: string): Promise<Accepted[]> {
  const response = await fetch(`${sandboxUrl}/__sandbox/speech`);
  return ((await response.json()) as { accepted: Accepted[] }).accepted;
}
