// Deepgram: returns the transcript in the response or by callback; keeps only a request log.
import { z } from 'zod';
import { fingerprintUuid } from '../fingerprint.ts';
import { deliverLater } from '../speech/deliver.ts';
import { ReceivedFile } from '../received-file.ts';
import { fetchRecording, receivedRecording } from '../speech/fetch-recording.ts';
import { acceptedIn, nextNumber, processingMs } from '../speech/work.ts';
import type { Work } from '../speech/work.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { readBearer, route } from '../vendor.ts';
import type { World } from '../world.ts';
import { describeDocument, describeTrouble, isSpokenBy, ListenQuery } from './deepgram-wire.ts';
import type { Reason } from '../refusal-reason.ts';

type Row = {
  request_id: string;
  created: string;
  path: string;
  tags: string[];
  response: { code: number; completed: string } | null;
  callback: object | null;
};

const deepgramProject = 'e87380a0-834e-4f9f-b6ac-38324d90fef3';
export const deepgramKey = 'f54158f4-1b2c-4d3e-8f90-0a1b2c3d4e5f';

const LogQuery = z.strictObject({
  start: z.string().optional(),
  end: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  page: z.coerce.number().int().min(0).optional(),
  accessor: z.string().optional(),
  request_id: z.string().optional(),
  deployment: z.string().optional(),
  endpoint: z.string().optional(),
  method: z.string().optional(),
  status: z.string().optional(),
});
type LogQuery = z.infer<typeof LogQuery>;
const ListenBody = z.union([z.strictObject({ url: z.url() }), ReceivedFile]);

export const deepgram: Vendor = {
  mount: '/deepgram',
  setting: 'DEEPGRAM_BASE_URL',
  readKey: (headers) => readBearer(headers, 'Token'),
  refuse,
  resume,
  routes: [
    route({
      method: 'POST',
      path: '/v1/listen',
      body: ListenBody,
      query: ListenQuery,
      answer: listen,
    }),
    route({ method: 'GET', path: '/v1/projects', answer: projects }),
    route({ method: 'GET', path: '/v1/projects/:project/keys', answer: listKeys }),
    route({
      method: 'GET',
      path: '/v1/projects/:project/requests',
      query: LogQuery,
      answer: listRequests,
    }),
  ],
};

const noProject: Reply = {
  status: 404,
  body: { category: 'NOT_FOUND', message: 'Project not found' },
};
/** Plain text, without a code or a request id. */
const noCombination: Reply = {
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'No such model/language/tier combination found.',
};
const callbackTries = 11;
const defaultLimit = 10;
const maxRows = 20_000;

const answers: Record<Reason, { status: number; err_code: string }> = {
  bad_request: { status: 400, err_code: 'INVALID_QUERY_PARAMETER' },
  missing_key: { status: 401, err_code: 'INVALID_AUTH' },
  wrong_key: { status: 401, err_code: 'INVALID_AUTH' },
  out_of_credit: { status: 402, err_code: 'ASR_PAYMENT_REQUIRED' },
  rate_limited: { status: 429, err_code: 'TOO_MANY_REQUESTS' },
  server_error: { status: 500, err_code: 'INTERNAL_SERVER_ERROR' },
  unavailable: { status: 503, err_code: 'Service Unavailable' },
  not_found: { status: 404, err_code: 'NOT_FOUND' },
};

function refuse({ reason, message, id }: Refusal): Reply {
  const { status, err_code } = answers[reason];
  return { status, body: { err_code, err_msg: message, request_id: fingerprintUuid(id) } };
}

function rowsIn(world: World): Row[] {
  return world.memory<Row[]>('deepgram', () => []);
}

async function listen(
  { body, query, id }: Asked<z.infer<typeof ListenBody>, ListenQuery>,
  world: World,
): Promise<Reply> {
  const number = nextNumber(world);
  const requestId = fingerprintUuid('deepgram', id, String(number));
  if (!isSpokenBy(query.model ?? 'base', query.language)) return noCombination;
  const reason = findRefusal(query);
  if (reason !== undefined) return refusal(reason, requestId);
  const { recording, file = null } =
    'url' in body ? await fetchRecording(body.url) : receivedRecording(body);
  const work: Work = {
    recording,
    model: query.model ?? 'base',
    diarize: query.diarize_model !== undefined || query.diarize === 'true',
    language: query.language ?? null,
    split: query.multichannel === 'true',
    failing: world.failing,
    at: world.now().getTime(),
    number,
  };
  const tags = [query.tag ?? []].flat();
  const row = log(world, requestId, query, tags);
  const at = world.now().toISOString();
  const audioUrl = 'url' in body ? body.url : null;
  const token = tags[0] ?? '';
  acceptedIn(world).push({ mount: '/deepgram', audio_url: audioUrl, token, at, file });
  const neededMs = processingMs(world, work);
  if (query.callback !== undefined) {
    world.kept.add(requestId, { row, work, query });
    callBack(world, row, work, query, neededMs);
    return { body: { request_id: requestId } };
  }
  await Bun.sleep(neededMs);
  const trouble = describeTrouble(work, requestId);
  row.response = { code: trouble ? 400 : 200, completed: world.now().toISOString() };
  if (trouble) return { status: 400, body: trouble };
  return { body: describeDocument(work, requestId, query, world.now()) };
}

function findRefusal(query: ListenQuery): string | undefined {
  const keyterms = [query.keyterm ?? []].flat();
  if (keyterms.length > 0 && !(query.model ?? '').startsWith('nova-3')) {
    return 'Keyterms are only supported for Nova-3 models.';
  }
  if (keyterms.join(' ').length / 3 > 500) {
    return 'Keyterm limit exceeded. The maximum number of tokens across all keyterms is 500.';
  }
  if ((query.model ?? '').startsWith('flux')) return 'Flux models are for streaming only.';
  return undefined;
}

function refusal(errMsg: string, requestId: string): Reply {
  return { status: 400, body: { err_code: 'Bad Request', err_msg: errMsg, request_id: requestId } };
}

function log(world: World, requestId: string, query: ListenQuery, tags: string[]): Row {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) search.append(name, String(one));
  }
  const row: Row = {
    request_id: requestId,
    created: world.now().toISOString(),
    path: `/v1/listen?${search.toString()}`,
    tags,
    response: null,
    callback: query.callback === undefined ? null : {},
  };
  const rows = rowsIn(world);
  rows.push(row);
  if (rows.length > maxRows) rows.shift();
  return row;
}

function callBack(world: World, row: Row, work: Work, query: ListenQuery, neededMs: number): void {
  const trouble = describeTrouble(work, row.request_id);
  const created = new Date(work.at);
  const document = trouble ?? describeDocument(work, row.request_id, query, created);
  world.later(neededMs, () => {
    row.response = { code: trouble ? 400 : 200, completed: world.now().toISOString() };
    return Promise.resolve();
  });
  deliverLater(world, neededMs, {
    mount: '/deepgram',
    url: query.callback ?? '',
    headers: (forged) => ({ 'dg-token': forged ? 'guessed' : deepgramKey }),
    body: JSON.stringify(document),
    tries: callbackTries,
    gives_up_on: () => false,
    tried: (attempts, code) => {
      const completed = world.now().toISOString();
      row.callback = { attempts, ...(code === undefined ? {} : { code }), completed };
      const isTaken = code !== undefined && code < 300;
      if (isTaken || attempts >= callbackTries) world.kept.remove(row.request_id);
    },
  });
}

/** A caller gets a transcript only by the callback, so the callback must not be lost. */
function resume(world: World): void {
  for (const { entry } of world.kept.owed) {
    const { row, work, query } = entry as { row: Row; work: Work; query: ListenQuery };
    rowsIn(world).push(row);
    const passedMs = world.now().getTime() - work.at;
    callBack(world, row, work, query, Math.max(0, processingMs(world, work) - passedMs));
  }
}

function listKeys({ params }: Asked<unknown, unknown>): Reply {
  if (params['project'] !== deepgramProject) return noProject;
  const member = { member_id: fingerprintUuid('deepgram member'), email: 'sandbox@example.org' };
  const created = '2026-01-01T00:00:00Z';
  const apiKey = { api_key_id: deepgramKey, comment: 'Sandbox', scopes: ['member'], created };
  return { body: { api_keys: [{ member, api_key: apiKey }] } };
}

function projects(): Reply {
  return { body: { projects: [{ project_id: deepgramProject, name: 'Sandbox' }] } };
}

function listRequests({ params, query }: Asked<unknown, LogQuery>, world: World): Reply {
  if (params['project'] !== deepgramProject) return noProject;
  const { limit = defaultLimit, page = 0, start, end } = query;
  const after = start === undefined ? 0 : new Date(zoned(start)).getTime();
  const before = end === undefined ? Infinity : new Date(zoned(end)).getTime();
  const found = rowsIn(world)
    .toReversed()
    .filter(({ created }) => {
      const at = new Date(created).getTime();
      return at >= after && at <= before;
    });
  const requests = found.slice(page * limit, (page + 1) * limit).map(describeRow);
  return { body: { page, limit, requests } };
}

function zoned(moment: string): string {
  return /[zZ]|[+-]\d\d:?\d\d$/.test(moment) || moment.length === 10 ? moment : `${moment}Z`;
}

function describeRow({ request_id, created, path, tags, response, callback }: Row): object {
  return {
    request_id,
    project_uuid: deepgramProject,
    created,
    path,
    api_key_id: deepgramKey,
    response: response && {
      ...response,
      deployment: 'hosted:us',
      details: { usd: 0, method: callback ? 'async' : 'sync', tags, features: [] },
      token_details: [],
    },
    callback,
  };
}
