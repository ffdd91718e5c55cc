// ElevenLabs Scribe: accepts a form, and returns the transcript immediately, by webhook, or by its
// id; there is no list.
import { fingerprint } from '../fingerprint.ts';
import { deliverLater } from '../speech/deliver.ts';
import { fetchRecording, receivedRecording } from '../speech/fetch-recording.ts';
import {
  acceptedIn,
  idOf,
  nextNumber,
  outcomeOf,
  processingMs,
  stageOf,
  workOf,
} from '../speech/work.ts';
import type { Work } from '../speech/work.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { route } from '../vendor.ts';
import type { World } from '../world.ts';
import {
  ConvertBody,
  ConvertQuery,
  describeEvent,
  describeScribe,
  failures,
  isTermTaken,
} from './elevenlabs-wire.ts';
import type { ScribeShape } from './elevenlabs-wire.ts';
import { NewWebhook, sign, WebhookChange, WebhookQuery } from './elevenlabs-wire.ts';
import type { Reason } from '../refusal-reason.ts';

type Webhook = {
  webhook_id: string;
  webhook_secret: string;
  url: string;
  name: string;
  is_disabled: boolean;
  /** When it was created, in milliseconds. */
  at: number;
};

export const elevenlabs: Vendor = {
  mount: '/elevenlabs',
  setting: 'ELEVENLABS_BASE_URL',
  readKey: (headers) => headers.get('xi-api-key') ?? undefined,
  refuse,
  routes: [
    route({
      method: 'POST',
      path: '/v1/speech-to-text',
      body: ConvertBody,
      query: ConvertQuery,
      answer: convert,
    }),
    route({ method: 'GET', path: '/v1/speech-to-text/transcripts/:id', answer: read }),
    route({
      method: 'POST',
      path: '/v1/workspace/webhooks',
      body: NewWebhook,
      answer: makeWebhook,
    }),
    route({
      method: 'GET',
      path: '/v1/workspace/webhooks',
      query: WebhookQuery,
      answer: listWebhooks,
    }),
    route({
      method: 'PATCH',
      path: '/v1/workspace/webhooks/:id',
      body: WebhookChange,
      answer: changeWebhook,
    }),
  ],
};

const answers: Record<Reason, { status: number; type: string; code: string }> = {
  bad_request: { status: 422, type: 'validation_error', code: 'invalid_parameters' },
  missing_key: { status: 401, type: 'authentication_error', code: 'missing_api_key' },
  wrong_key: { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
  out_of_credit: { status: 402, type: 'payment_required', code: 'insufficient_credits' },
  rate_limited: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  server_error: { status: 500, type: 'internal_error', code: 'internal_error' },
  unavailable: { status: 503, type: 'service_unavailable', code: 'service_unavailable' },
  not_found: { status: 404, type: 'not_found', code: 'not_found' },
};

function refuse({ reason, message, issues, id }: Refusal): Reply {
  if (issues.length > 0) {
    const detail = issues.map(({ path, code, message: msg }) => ({ loc: path, msg, type: code }));
    return { status: 422, body: { detail } };
  }
  const { status, type, code } = answers[reason];
  return { status, body: { detail: { type, code, message, status: code, request_id: id } } };
}

function refused(code: string, message: string, param?: string): Reply {
  const detail = { type: 'validation_error', code: 'invalid_parameters', message, status: code };
  return { status: 400, body: { detail: { ...detail, ...(param ? { param } : {}) } } };
}

function webhooksIn(world: World): Webhook[] {
  return world.memory<Webhook[]>('elevenlabs', () => {
    const { gateway } = world;
    return gateway ? [ownWebhook(gateway.webhook_secret)] : [];
  });
}

/** The webhook of the gateway that the sandbox is part of. */
function ownWebhook(secret: string): Webhook {
  return {
    webhook_id: 'wh_gateway',
    webhook_secret: secret,
    url: 'https://gateway.invalid/callbacks/stt_c',
    name: 'Gateway',
    is_disabled: false,
    at: 0,
  };
}

function makeWebhook({ body, id }: Asked<NewWebhook, unknown>, world: World): Reply {
  const webhook: Webhook = {
    webhook_id: `wh_${fingerprint(16, 'id', id)}`,
    webhook_secret: `wsec_${fingerprint(40, 'secret', id)}`,
    url: body.settings.webhook_url,
    name: body.settings.name,
    is_disabled: false,
    at: world.now().getTime(),
  };
  webhooksIn(world).push(webhook);
  const { webhook_id, webhook_secret } = webhook;
  return { body: { webhook_id, webhook_secret } };
}

/** Like the vendor: everything except the secret, which is shown once. */
function listWebhooks(_asked: Asked<unknown, unknown>, world: World): Reply {
  const webhooks = webhooksIn(world).map(({ webhook_id, url, name, is_disabled, at }) => ({
    name,
    webhook_id,
    webhook_url: url,
    is_disabled,
    is_auto_disabled: false,
    created_at_unix: Math.floor(at / 1000),
    auth_type: 'hmac',
    usage: [{ usage_type: 'Speech to Text' }],
    most_recent_failure_error_code: null,
    most_recent_failure_timestamp: null,
  }));
  return { body: { webhooks } };
}

function changeWebhook({ body, params }: Asked<WebhookChange, unknown>, world: World): Reply {
  const webhook = webhooksIn(world).find(({ webhook_id }) => webhook_id === params['id']);
  if (!webhook) {
    const detail = { type: 'not_found', code: 'webhook_not_found', message: 'No such webhook.' };
    return { status: 404, body: { detail } };
  }
  webhook.is_disabled = body.is_disabled;
  webhook.name = body.name;
  return { body: { status: 'ok' } };
}

async function convert({ body, id }: Asked<ConvertBody, unknown>, world: World): Promise<Reply> {
  const refusal = findRefusal(body);
  if (refusal !== undefined) return refusal;
  const webhooks = webhooksIn(world).filter(
    ({ webhook_id, is_disabled }) =>
      !is_disabled && (body.webhook_id === undefined || webhook_id === body.webhook_id),
  );
  if (body.webhook === 'true' && webhooks.length === 0) {
    return refused('no_webhooks_configured', 'No webhook is configured for speech to text.');
  }
  const { source_url: sourceUrl = null } = body;
  const { recording, file = null } = body.file
    ? receivedRecording(body.file)
    : await fetchRecording(sourceUrl ?? '');
  const work: Work = {
    recording,
    model: body.model_id,
    diarize: body.diarize === 'true',
    language: body.language_code ?? null,
    split: body.use_multi_channel === 'true',
    failing: world.failing,
    at: world.now().getTime(),
    number: nextNumber(world),
  };
  const at = world.now().toISOString();
  const token = body.webhook_metadata ?? '';
  acceptedIn(world).push({ mount: '/elevenlabs', audio_url: sourceUrl, token, at, file });
  if (body.webhook === 'true') {
    const transcriptionId = idOf(work);
    for (const webhook of webhooks) callBack(world, webhook, work, body, id);
    const message = 'Request accepted. Transcription result will be sent to the webhook.';
    const named = world.unnamed ? {} : { transcription_id: transcriptionId };
    return { status: 202, body: { message, request_id: id, ...named } };
  }
  await Bun.sleep(processingMs(world, work));
  return describeOutcome(work, body);
}

function findRefusal(body: ConvertBody): Reply | undefined {
  const { model_id } = body;
  if ((body.file === undefined) === (body.source_url === undefined)) {
    return refused('invalid_parameters', 'Give exactly one of file and source_url.', 'file');
  }
  const terms = [body.keyterms ?? []].flat();
  if (terms.length > 0 && !model_id.startsWith('scribe_v2')) {
    const message =
      "The 'keyterms' parameter is only supported with the 'scribe_v2' model. " +
      `You specified '${model_id}'.`;
    return refused('invalid_parameters', message, 'keyterms');
  }
  if (!/^scribe_v2(_medical)?$/.test(model_id)) {
    return refused('unsupported_model', `The model '${model_id}' is not available.`, 'model_id');
  }
  const bad = terms.find((term) => !isTermTaken(term));
  if (bad !== undefined) {
    return refused('invalid_parameters', `The keyterm '${bad}' is not allowed.`, 'keyterms');
  }
  return undefined;
}

function describeOutcome(work: Work, shape: ScribeShape): Reply {
  const { kind } = outcomeOf(work);
  if (kind === 'audio') return { body: describeScribe(work, shape) };
  const codes = {
    missing: 'invalid_parameters',
    not_audio: 'invalid_audio',
    failed: 'internal_error',
  } as const;
  return refused(codes[kind], failures[kind]);
}

/** Sent once: this vendor does not retry a missed webhook. */
function callBack(
  world: World,
  { url, webhook_secret }: Webhook,
  work: Work,
  body: ConvertBody,
  requestId: string,
): void {
  const text = JSON.stringify(describeEvent(work, body, requestId, world.now()));
  deliverLater(world, processingMs(world, work), {
    mount: '/elevenlabs',
    url,
    headers: (forged) => ({
      'elevenlabs-signature': sign(text, forged ? 'guessed' : webhook_secret, world.now()),
    }),
    body: text,
    tries: 1,
    gives_up_on: () => true,
  });
}

function read({ params }: Asked<unknown, unknown>, world: World): Reply {
  const work = workOf(params['id'] ?? '');
  if (work && stageOf(world, work) === 'over' && outcomeOf(work).kind === 'audio') {
    return { body: describeScribe(work) };
  }
  const message = 'The transcript was not found.';
  const detail = { type: 'not_found', code: 'transcript_not_found', message };
  return { status: 404, body: { detail } };
}
