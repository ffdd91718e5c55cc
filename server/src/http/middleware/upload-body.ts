// Reads the body of an upload as a stream: a form with one file, or the file itself. The size and
// the pace of the sender are bounded. A compressed body is refused, because a small one could
// expand into a huge one.
import type { GatewayError } from '@trivium/contract';
import { invalidPart } from '@trivium/contract';
import type { Caller } from '../../requests/index.ts';
import { startSha256 } from '../../platform/ids.ts';
import { FormError, readMultipart } from '../../platform/multipart.ts';
import { pacedChunks, passThrough, releasedChunks } from '../../platform/streams.ts';
import {
  maxUploadBytes,
  removeUpload,
  slowestBytesPerSecond,
  type StoredUpload,
  tooLarge,
  type UploadContext,
  whileReceiving,
} from '../../uploads/index.ts';
import { invalid, badRequest } from './body.ts';

interface ReceivedUpload {
  upload: StoredUpload;
  /** The other fields of the form. */
  fields: [name: string, value: string][];
  /** The SHA-256 of the file, if it was requested. */
  digest?: string;
}

interface Expected {
  takes: 'form' | 'form_or_file';
  lifeMs: number;
  /** Whether a digest of the file is needed. */
  withDigest: boolean;
}

/** A form contains headers and fields in addition to its file. */
const maxFormBytes = 1024 * 1024;
const pace = { graceMs: 15_000, bytesPerSecond: slowestBytesPerSecond };

/**
 * The stored file is deleted if the rest of the form turns out to be wrong. A refusal leaves the
 * connection open and the rest unread, because many clients read an answer only after they have
 * sent everything.
 */
export async function receiveUpload(
  context: UploadContext,
  caller: Caller,
  request: Request,
  { takes, lifeMs, withDigest }: Expected,
): Promise<ReceivedUpload> {
  const type = request.headers.get('content-type') ?? '';
  const isForm = /^multipart\/form-data\b/i.test(type);
  if (!isForm && (takes === 'form' || type === '')) throw wrongType(takes);
  checkEncoding(request.headers);
  const limit = maxUploadBytes(context) + (isForm ? maxFormBytes : 0);
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(context);
  const body = pacedChunks(request.body ?? new Blob().stream(), pace, tooSlow);
  return whileReceiving(context, caller, lifeMs, async (store) => {
    if (!isForm) {
      return { upload: await store(releasedChunks(body), nameIn(request.headers)), fields: [] };
    }
    const sum = withDigest ? startSha256() : undefined;
    let upload: StoredUpload | undefined;
    try {
      let size = 0;
      const counted = passThrough(body, (chunk) => {
        size += chunk.length;
        if (size > limit) throw tooLarge(context);
      });
      const form = await readMultipart(counted, type, async (chunks, name) => {
        upload = await store(sum ? passThrough(chunks, sum.add) : chunks, name);
      });
      if (!upload) throw noFile('The form has no file.');
      const [name = ''] = form.files;
      if (name !== 'file') {
        throw noFile(`The file is in the field ${JSON.stringify(name.slice(0, 60))}; use file.`);
      }
      return { upload, fields: form.fields, ...(sum ? { digest: sum.hex() } : {}) };
    } catch (error) {
      if (upload) await removeUpload(context, caller, upload.id).catch(() => undefined);
      if (!(error instanceof FormError)) throw error;
      throw invalidPart('', 'invalid_form', `The form cannot be read: ${error.message}.`);
    }
  });
}

function checkEncoding(headers: Headers): void {
  const encoding = (headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return;
  throw invalidPart('content-encoding', 'compressed', 'Send the file without compression.');
}

/** The name of a file that is sent without a form, as RFC 6266 writes it. */
function nameIn(headers: Headers): string | undefined {
  const disposition = headers.get('content-disposition') ?? '';
  const [, encoded, quoted] =
    /\bfilename\*=utf-8''([^;\s]+)|\bfilename="([^"]*)"/i.exec(disposition) ?? [];
  try {
    return encoded === undefined ? quoted : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function noFile(message: string): GatewayError {
  return invalid([{ path: 'file', code: 'missing', message }]);
}

function wrongType(takes: 'form' | 'form_or_file'): GatewayError {
  const other = takes === 'form' ? '' : ', or the file itself with its own Content-Type';
  const message = `Send a form in parts (multipart/form-data) with a field file${other}.`;
  return invalidPart('content-type', 'invalid_type', message);
}

function tooSlow(): GatewayError {
  const message = `The file arrived at less than ${pace.bytesPerSecond / 1024} KiB a second.`;
  return badRequest(message, { status: 408, headers: { connection: 'close' } });
}
