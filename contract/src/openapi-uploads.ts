// Uploads in the OpenAPI document: the only endpoints whose request is not JSON.
import * as examples from './examples.ts';
import { inline, operation } from './openapi-operation.ts';
import type { Endpoint } from './openapi-operation.ts';
import { UploadId } from './upload.ts';

export function uploadPaths(): Record<string, object> {
  return {
    '/v1/uploads': {
      post: { ...operation('transcription', 'Upload a recording', create), requestBody: fileBody },
    },
    '/v1/uploads/{id}': {
      get: {
        ...operation('transcription', 'Read an upload', read),
        parameters: [uploadParameter],
      },
      delete: {
        ...operation('transcription', 'Delete an upload', remove),
        parameters: [uploadParameter],
      },
    },
  };
}

/** The media type that OpenAPI 3.1 leaves out says that the content is any bytes. */
const anyBytes = { type: 'string', format: 'binary' };

const fileBody = {
  required: true,
  description: 'A form with one file, or the file itself with its own Content-Type.',
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { ...anyBytes, description: 'Audio or video.' } },
      },
    },
    'application/octet-stream': { schema: anyBytes },
  },
};

const create: Endpoint = {
  id: 'createUpload',
  description:
    'Stores a recording for transcription, up to TRIVIUM_MAX_UPLOAD_MB. The type is recognised ' +
    'by the first bytes. It is deleted when its jobs have ended, or after 24 hours.',
  success: {
    status: 201,
    meaning: 'The recording was stored.',
    schema: 'Upload',
    examples: { stored: { value: examples.upload } },
  },
  failures: [400, 401, 413, 429, 500, 503],
};

const read: Endpoint = {
  id: 'readUpload',
  description: 'Returns an upload that is still kept.',
  success: {
    status: 200,
    meaning: 'The upload.',
    schema: 'Upload',
    examples: { stored: { value: examples.upload } },
  },
  failures: [400, 401, 404, 429, 500],
};

const remove: Endpoint = {
  id: 'deleteUpload',
  description: 'Deletes an upload at once. A job that still needs it fails.',
  success: {
    status: 200,
    meaning: 'The upload was deleted.',
    schema: 'UploadDeleted',
    examples: { deleted: { value: examples.uploadDeleted } },
  },
  failures: [400, 401, 404, 429, 500],
};

const uploadParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the upload.',
  schema: inline(UploadId),
  example: examples.upload.id,
};
