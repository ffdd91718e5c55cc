// POST /v1/uploads, GET and DELETE /v1/uploads/{id}, and the signed addresses at which providers
// fetch recordings.
import { invalidPart, UploadId } from '@trivium/contract';
import {
  describeUpload,
  filesPath,
  openAddress,
  readUpload,
  removeUpload,
  type UploadContext,
  uploadLifeMs,
} from '../../../uploads/index.ts';
import { validate } from '../../middleware/body.ts';
import { receiveUpload } from '../../middleware/upload-body.ts';
import type { HttpContext } from '../../context.ts';
import type { Incoming, Route } from '../../route.ts';
import { callerRoute, publicRoute } from '../rows.ts';

export function uploadRoutes({ jobs: { uploads } }: HttpContext): Route[] {
  return [
    callerRoute('POST', '/v1/uploads', {}, async ({ request, caller }) => {
      const { upload, fields } = await receiveUpload(uploads, caller, request, {
        takes: 'form_or_file',
        lifeMs: uploadLifeMs,
        withDigest: false,
      });
      const [field] = fields;
      if (field !== undefined) {
        await removeUpload(uploads, caller, upload.id);
        const path = field[0].slice(0, maxNameChars);
        throw invalidPart(path, 'unrecognized_keys', onlyFile);
      }
      return Response.json(describeUpload(uploads, upload), { status: 201 });
    }),
    callerRoute('GET', '/v1/uploads/:id', {}, async ({ params, caller }) => {
      const upload = await readUpload(uploads, caller, validate(UploadId, params['id']));
      return describeUpload(uploads, upload);
    }),
    callerRoute('DELETE', '/v1/uploads/:id', {}, async ({ params, caller }) => {
      const id = validate(UploadId, params['id']);
      await removeUpload(uploads, caller, id);
      return { id, deleted: true };
    }),
    publicRoute('GET', `${filesPath}/:token`, {}, (incoming) => serveFile(uploads, incoming)),
  ];
}

/** Providers and players may request a part of the file. */
async function serveFile(context: UploadContext, { request, params }: Incoming): Promise<Response> {
  const { upload, file } = await openAddress(context, params['token'] ?? '');
  const range = readRange(request.headers.get('range'), file.bytes);
  const headers = {
    'content-type': upload.type,
    'accept-ranges': 'bytes',
    // If a browser displayed it, it could be more than a recording.
    'content-disposition': 'attachment',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-robots-tag': 'noindex',
  };
  const send = (body: ReturnType<typeof file.read> | null, status: number, size: object) =>
    new Response(body, { status, headers: { ...headers, ...size } });
  if (range === 'unsatisfiable')
    return send(null, 416, { 'content-range': `bytes */${file.bytes}` });
  if (request.method === 'HEAD') return send(null, 200, { 'content-length': String(file.bytes) });
  if (range === undefined) return send(file.read(), 200, {});
  const { start, end } = range;
  const part = `bytes ${start}-${end - 1}/${file.bytes}`;
  return send(file.read(start, end), 206, { 'content-range': part });
}

/**
 * The bytes from `start` up to `end`, which is exclusive. Undefined means the whole file, also for
 * several ranges, which a server may ignore.
 */
function readRange(header: string | null, size: number) {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  return start < size && start < end ? { start, end } : 'unsatisfiable';
}

const onlyFile = 'The form must not have any field other than file.';
const maxNameChars = 100;
