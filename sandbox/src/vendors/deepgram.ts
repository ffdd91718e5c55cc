// Deepgram: answers with the transcript itself or calls back with it; keeps a request log and
// nothing else.
import { z } from 'zod';
import { fingerprintUuid } from '../fingerprint.ts';
import { deliverLater } from '../speech/deliver.ts';
import { recordingAt } from '../speech/recordings.ts';
import { acceptedIn, nextNumber, processingMs } from '../speech/work.ts';
import type { Work } from '../speech/work.ts';
import type { Asked, Reason, Refusal, Reply, Vendor } from '../vendor.ts';
import { readBearer, route } from '../vendor.ts';
import type { World } from '../world.ts';
import { describeDocument, describeTrouble, isSpokenBy, ListenQuery } from './deepgram-wire.ts';

type Row = {
  request_id: string;
  created: string;
  path: string;
  tags: string[];
  response: { code: number; completed: string } | null;
  callback: object | null;
};

export const DEEPGRAM_PROJECT = 'e87380a0-834e-4f9f-b6ac-38324d90fef3';
export const DEEPGRAM_KEY = 'f54158f4-1b2c-4d3e-8f90-0a1b2c3d4e5f';

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
const ListenBody = z.strictObject({ url: z.url() });

export const deepgram: Vendor = {
  mount: '/deepgram',
  setting: 'DEEPGRAM_BASE_URL',
  readKey: (headers) => readBearer(headers, 'Token'),
  refuse,
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

const NO_PROJECT: Reply = {
  status: 404,
  body: { category: 'NOT_FOUND', message: 'Project not found' },
};
/** Told in plain text, without a code or a request id. */
const NO_COMBINATION: Reply = {
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'No such model/language/tier combination found.',
};
const CALLBACK_TRIES = 11;
const DEFAULT_LIMIT = 10;
const MAX_ROWS = 20_000;

const ANSWERS: Record<Reason, { status: number; err_code: string }> = {
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
  const { status, err_code } = ANSWERS[reason];
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
  const request_id = fingerprintUuid('deepgram', id, String(number));
  if (!isSpokenBy(query.model ?? 'base', query.language)) return NO_COMBINATION;
  const objection = objectTo(query);
  if (objection !== undefined) return refusal(objection, request_id);
  const work: Work = {
    recording: recordingAt(body.url),
    model: query.model ?? 'base',
    diarize: query.diarize_model !== undefined || query.diarize === 'true',
    language: query.language ?? null,
    failing: world.failing,
    at: world.now().getTime(),
    number,
  };
  const tags = [query.tag ?? []].flat();
  const row = log(world, request_id, query, tags);
  const at = world.now().toISOString();
  acceptedIn(world).push({ mount: '/deepgram', audio_url: body.url, token: tags[0] ?? '', at });
  const needed_ms = processingMs(world, work);
  if (query.callback !== undefined) {
    callBack(world, row, work, query, needed_ms);
    return { body: { request_id } };
  }
  await Bun.sleep(needed_ms);
  const trouble = describeTrouble(work, request_id);
  row.response = { code: trouble ? 400 : 200, completed: world.now().toISOString() };
  if (trouble) return { status: 400, body: trouble };
  return { body: describeDocument(work, request_id, query, world.now()) };
}

function objectTo(query: ListenQuery): string | undefined {
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

function refusal(err_msg: string, request_id: string): Reply {
  return { status: 400, body: { err_code: 'Bad Request', err_msg, request_id } };
}

function log(world: World, request_id: string, query: ListenQuery, tags: string[]): Row {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) search.append(name, String(one));
  }
  const row: Row = {
    request_id,
    created: world.now().toISOString(),
    path: `/v1/listen?${search.toString()}`,
    tags,
    response: null,
    callback: query.callback === undefined ? null : {},
  };
  const rows = rowsIn(world);
  rows.push(row);
  if (rows.length > MAX_ROWS) rows.shift();
  return row;
}

function callBack(world: World, row: Row, work: Work, query: ListenQuery, needed_ms: number): void {
  const trouble = describeTrouble(work, row.request_id);
  const created = new Date(work.at);
  const document = trouble ?? describeDocument(work, row.request_id, query, created);
  world.later(needed_ms, () => {
    row.response = { code: trouble ? 400 : 200, completed: world.now().toISOString() };
    return Promise.resolve();
  });
  deliverLater(world, needed_ms, {
    mount: '/deepgram',
    url: query.callback ?? '',
    headers: (forged) => ({ 'dg-token': forged ? 'guessed' : DEEPGRAM_KEY }),
    body: JSON.stringify(document),
    tries: CALLBACK_TRIES,
    gives_up_on: () => false,
    tried: (attempts, code) => {
      const completed = world.now().toISOString();
      row.callback = { attempts, ...(code === undefined ? {} : { code }), completed };
    },
  });
}

function listKeys({ params }: Asked<unknown, unknown>): Reply {
  if (params['project'] !== DEEPGRAM_PROJECT) return NO_PROJECT;
  const member = { member_id: fingerprintUuid('deepgram member'), email: 'sandbox@example.org' };
  const created = '2026-01-01T00:00:00Z';
  const api_key = { api_key_id: DEEPGRAM_KEY, comment: 'Sandbox', scopes: ['member'], created };
  return { body: { api_keys: [{ member, api_key }] } };
}

function projects(): Reply {
  return { body: { projects: [{ project_id: DEEPGRAM_PROJECT, name: 'Sandbox' }] } };
}

function listRequests({ params, query }: Asked<unknown, LogQuery>, world: World): Reply {
  if (params['project'] !== DEEPGRAM_PROJECT) return NO_PROJECT;
  const { limit = DEFAULT_LIMIT, page = 0, start, end } = query;
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
    project_uuid: DEEPGRAM_PROJECT,
    created,
    path,
    api_key_id: DEEPGRAM_KEY,
    response: response && {
      ...response,
      deployment: 'hosted:us',
      details: { usd: 0, method: callback ? 'async' : 'sync', tags, features: [] },
      token_details: [],
    },
    callback,
  };
}
