// The three speech vendors of a simulation, each on its own wire: they accept, refuse, drop and
// fail as chance has it, and remember.
import type { TranscriberId } from '@trivium/contract';
import type { Outgoing, Sent } from '../../src/platform/http-client.ts';
import type { Random } from './seeded-random.ts';
import { documentOf, type VendorJob } from './vendor-job.ts';

export interface Vendors {
  send: (outgoing: Outgoing) => Sent;
  /** Everything that was accepted, one entry for each acceptance. */
  accepted: readonly VendorJob[];
  /** From now on everything works. */
  calm: () => void;
}

export const vendorHosts: Readonly<Record<TranscriberId, string>> = {
  stt_a: 'https://api.assemblyai.com',
  stt_b: 'https://api.deepgram.com',
  stt_c: 'https://api.elevenlabs.io',
};

const pageSize = 200;
const longestWorkMs = 20_000;

/** `onAccept` runs before the answer, so that a vendor may call back even earlier. */
export function simulateVendors(
  random: Random,
  now: () => number,
  onAccept: (work: VendorJob) => void,
): Vendors {
  const accepted: VendorJob[] = [];
  let calm = false;
  const accept = (outgoing: Outgoing, denied = false): VendorJob => {
    const work: VendorJob = {
      ...readSubmission(outgoing),
      denied,
      id: `t${accepted.length}`,
      created: now(),
      readyAt: now() + random() * longestWorkMs,
      succeeds: random() < 0.8,
      delivery: { attempts: 0 },
      received: false,
    };
    accepted.push(work);
    onAccept(work);
    return work;
  };
  const submit = (outgoing: Outgoing): Sent => {
    const roll = calm ? 1 : random();
    if (roll < 0.1) return unreachable;
    if (roll < 0.18) return busy();
    if (roll < 0.2) {
      // It took the recording, and says that it did not.
      accept(outgoing, true);
      return busy();
    }
    if (roll < 0.25) return answer(400, { error: 'bad audio' });
    if (roll < 0.35) return { ok: false, failure: 'uncertain', message: 'reset' };
    if (roll < 0.4) return answer(500, { error: 'Server error' });
    const work = accept(outgoing);
    if (roll < 0.5) return { ok: false, failure: 'timed_out', message: 'no answer' };
    if (roll < 0.55) return answer(502, 'bad gateway');
    if (roll < 0.6) return answer(200, '{"id":');
    return taken(work);
  };
  const ask = (url: URL): Sent => {
    if (!calm && random() < 0.2) return answer(503, '');
    return answerQuestion(url, accepted, now());
  };
  return {
    send: (outgoing) =>
      outgoing.method === 'POST' ? submit(outgoing) : ask(new URL(outgoing.url)),
    accepted,
    calm: () => {
      calm = true;
    },
  };
}

const unreachable: Sent = { ok: false, failure: 'unreachable', message: 'refused' };

function busy(): Sent {
  return answer(429, { error: 'Too Many Requests' });
}

type Submission = Pick<VendorJob, 'provider' | 'token' | 'audio_url' | 'webhook_url' | 'callback'>;

function readSubmission(outgoing: Outgoing): Submission {
  const url = new URL(outgoing.url);
  const { body } = outgoing;
  if (body instanceof FormData) {
    const metadata = body.get('webhook_metadata');
    const audioUrl = String(body.get('source_url'));
    if (metadata === null)
      return { provider: 'stt_c', token: audioUrl, audio_url: audioUrl, webhook_url: webhookUrl };
    const { attempt_id: token } = JSON.parse(String(metadata)) as { attempt_id: string };
    const callback = { url: webhookUrl, secret: '' };
    return { provider: 'stt_c', token, audio_url: audioUrl, webhook_url: webhookUrl, callback };
  }
  if (url.origin === vendorHosts.stt_b) {
    const { url: audioUrl } = JSON.parse(String(body)) as { url: string };
    const address = url.searchParams.get('callback');
    const token = url.searchParams.get('tag') ?? '';
    const to = address === null ? {} : { callback: { url: address, secret: '' } };
    return { provider: 'stt_b', token, audio_url: audioUrl, webhook_url: address ?? '', ...to };
  }
  const sent = JSON.parse(String(body)) as Record<string, string>;
  const [address = '', secret = ''] = [sent['webhook_url'], sent['webhook_auth_header_value']];
  const [, token = ''] = /(job_[0-9a-f-]{36}\.\d+)\./.exec(address) ?? [];
  const reachable = !new URL(address).hostname.endsWith('.invalid');
  const to = reachable ? { callback: { url: address, secret } } : {};
  const audioUrl = sent['audio_url'] ?? '';
  return { provider: 'stt_a', token, audio_url: audioUrl, webhook_url: address, ...to };
}

/** The one address under which ElevenLabs knows us. */
const webhookUrl = 'https://gateway.example/callbacks/stt_c';

/** How each vendor says that it has accepted, or what it has received where it answers at once. */
function taken(work: VendorJob): Sent {
  const { provider, id, callback, succeeds } = work;
  if (provider === 'stt_a') return answer(200, { id, status: 'queued' });
  if (callback) return answer(200, { request_id: id, transcription_id: id });
  return succeeds ? answer(200, documentOf(work, 'hello')) : answer(400, { err_msg: 'bad audio' });
}

function answerQuestion({ pathname }: URL, accepted: readonly VendorJob[], now: number): Sent {
  if (pathname === '/v1/projects') return answer(200, { projects: [{ project_id: 'simulated' }] });
  if (pathname.endsWith('/requests')) return answer(200, { requests: requestLog(accepted, now) });
  if (pathname === '/v2/transcript') return answer(200, listing(accepted));
  const found = accepted.find(({ id }) => id === pathname.split('/').at(-1));
  if (pathname.startsWith('/v1/speech-to-text/')) {
    const ready = found !== undefined && now >= found.readyAt && found.succeeds;
    return ready ? answer(200, documentOf(found, 'hello')) : answer(404, { detail: 'not found' });
  }
  if (!found) return answer(400, { error: 'Transcript lookup error, transcript id not found' });
  return answer(200, resource(found, now));
}

function answer(status: number, body: unknown): Sent {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { ok: true, status, headers: new Headers(), text };
}

function requestLog(accepted: readonly VendorJob[], now: number): object[] {
  const rows = accepted.filter(({ provider }) => provider === 'stt_b').toReversed();
  return rows.map(({ id, token, readyAt, succeeds, callback, delivery }) => ({
    request_id: id,
    path: `/v1/listen?tag=${token}`,
    response:
      now < readyAt
        ? null
        : {
            code: succeeds ? 200 : 400,
            completed: new Date(readyAt).toISOString(),
            details: { tags: [token] },
          },
    callback: callback ? delivery : null,
  }));
}

function listing(accepted: readonly VendorJob[]): object {
  const transcripts = accepted
    .filter(({ provider }) => provider === 'stt_a')
    .toReversed()
    .slice(0, pageSize)
    .map(({ id, audio_url, created }) => ({
      id,
      audio_url,
      created: new Date(created).toISOString().replace('Z', ''),
    }));
  return { page_details: { prev_url: null }, transcripts };
}

function resource({ id, webhook_url, readyAt, succeeds }: VendorJob, now: number): object {
  const status = now < readyAt ? 'processing' : succeeds ? 'completed' : 'error';
  return {
    id,
    webhook_url,
    status,
    error: status === 'error' ? 'Server error' : null,
    text: status === 'completed' ? 'hello' : null,
    audio_duration: 60,
    words: [],
  };
}
