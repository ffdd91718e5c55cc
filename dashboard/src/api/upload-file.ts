// Sends a file to the gateway, with XMLHttpRequest because `fetch` cannot report upload progress.
import type { Upload } from '@trivium/contract';
import { errorFrom } from './errors.ts';
import { reportLostSession } from './session-events.ts';

interface UploadOptions {
  accountId: string;
  signal: AbortSignal;
  /** Called with a whole percentage. */
  onProgress: (percent: number) => void;
}

export function uploadFile(
  file: File,
  { accountId, signal, onProgress }: UploadOptions,
): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/v1/uploads');
    request.responseType = 'json';
    // The gateway detects the type from the content of the file.
    request.setRequestHeader('content-type', 'application/octet-stream');
    const name = encodeURIComponent(file.name.toWellFormed());
    request.setRequestHeader('content-disposition', `attachment; filename*=UTF-8''${name}`);
    request.setRequestHeader('x-trivium-account', accountId);
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : Math.floor((loaded / total) * 100));
    request.onload = () => {
      const { status, response } = request as { status: number; response: unknown };
      if (status === 401) reportLostSession();
      if (status === 201) resolve(response as Upload);
      // The connection may close before the whole answer has arrived.
      else if (status === 413 && response === null) reject(errorFrom(status, tooLarge));
      else reject(errorFrom(status, response));
    };
    request.onerror = () => reject(new Error(brokenOff(file.name)));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

const tooLarge = {
  error: {
    type: 'invalid_request',
    message: 'The file is larger than this gateway accepts. TRIVIUM_MAX_UPLOAD_MB sets the limit.',
  },
};

function brokenOff(name: string): string {
  return (
    `The upload of “${name}” was interrupted: the gateway closed the connection or cannot be reached, ` +
    'or the file can no longer be read. The file may also be larger than this gateway accepts.'
  );
}
