// Plays a transcription fixture: the submission, each poll or look-up, and the reading of the
// answers.
import { type ProviderId, type TranscriberId, TranscriptionRequest } from '@trivium/contract';
import { listPrices, providers } from '../src/providers/registry.ts';
import { parseJson, type Reply } from '../src/upstream/core/refusal.ts';
import type { Outgoing } from '../src/platform/http-client.ts';
import type { WireRequest } from '../src/providers/shared/wire-request.ts';
import type {
  Attempt,
  LookupStep,
  TranscribeProduct,
} from '../src/providers/shared/transcribe-product.ts';
import { submissionOf } from '../src/providers/shared/native-options.ts';
import { outgoingOf } from '../src/upstream/call-provider.ts';
import { readReport } from '../src/transcription/read-transcript.ts';
import type { ReadingTask, ProviderReport } from '../src/transcription/read-transcript.ts';
import { planTranscription } from '../src/transcription/transcribe.ts';
import { providersWith } from './configured-providers.ts';
import { fakeContext, type Fixture, plainJson, type Played, shown } from './play.ts';

/** Beyond what every fixture has: how the attempt is played. */
export interface SpeechFixture extends Fixture {
  /** False for the vendor's synchronous form. */
  called_back?: boolean;
  /** Played instead of polls, after the first answer. */
  then?: 'poll' | 'lookup';
  /** Callbacks, read after everything that was received. */
  delivered?: unknown[];
  /** Vendor settings of the deployment. */
  extras?: Record<string, string>;
}

const token = 'job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d.1';
const callback = {
  url: `https://gateway.example/callbacks/stt_x/${token}.0123456789abcdef`,
  secret: 'attempt-secret',
};

export function playTranscribe(id: ProviderId, given: Fixture): Promise<Played> {
  const fixture = given as SpeechFixture;
  const provider = providers[id];
  const called: Outgoing[] = [];
  const { context, chosen } = fakeContext(provider, fixture, called);
  const configured = providersWith({ [id]: { provider, state: 'configured' } });
  const request = TranscriptionRequest.parse({ ...fixture.asked, provider: id });
  const transcriber = id as TranscriberId;
  const plan = planTranscription({ ...context, providers: configured }, transcriber, request);
  const attempt: Attempt = {
    audio_url: request.audio_url,
    ask: plan.ask,
    options: plan.options,
    token,
    ...(fixture.called_back === false ? {} : { callback }),
    submitted_at: new Date(fixture.now),
    extras: fixture.extras ?? {},
  };
  const sent: Fixture['sent'] = [];
  const ask = (wire: WireRequest): Reply => {
    const at = sent.length;
    sent.push(
      shown(outgoingOf(chosen, wire, { timeout_ms: 1, maxBytes: 1 }, chosen.upstream.key, 1)),
    );
    return replyAt(fixture, at);
  };
  const task = (source: ReadingTask['source'], reply: Reply): ReadingTask => ({
    source,
    provider: transcriber,
    status: reply.status,
    headers: [...reply.headers],
    texts: [reply.text],
    attempt,
    heldSeconds: 3600,
    ...(plan.ask.language === undefined ? {} : { language: plan.ask.language }),
    rates: listPrices[id]?.transcribe ?? {},
  });
  const { product } = plan;
  const first = ask(submissionOf(product, attempt));
  const report: object[] = [shownNews(readReport(task('submit', first)))];
  if (fixture.then === 'lookup') report.push(lookUp(product, attempt, ask, fixture));
  while (fixture.then !== 'lookup' && sent.length < fixture.received.length && product.toPoll) {
    const [known] = report as { provider_job_id?: string }[];
    report.push(
      shownNews(readReport(task('poll', ask(product.toPoll(known?.provider_job_id ?? ''))))),
    );
  }
  for (const body of fixture.delivered ?? []) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = { status: 200, headers: new Headers(), text, body: parseJson(text) };
    report.push(shownNews(readReport(task('callback', reply))));
  }
  return Promise.resolve({ sent, answered: plainJson(report), warned: plan.warnings });
}

function lookUp(
  product: TranscribeProduct,
  attempt: Attempt,
  ask: (wire: WireRequest) => Reply,
  fixture: SpeechFixture,
): object {
  let step: LookupStep = product.toLookup?.(attempt) ?? { kind: 'absent' };
  while (step.kind === 'ask') {
    const reply = ask(step.wire);
    step = product.fromLookup?.(reply, step.state, attempt, new Date(fixture.now)) ?? {
      kind: 'absent',
    };
  }
  return step;
}

function replyAt({ received }: Fixture, at: number): Reply {
  const reply = received[at];
  if (!reply) throw new Error(`the fixture has no answer number ${at + 1}`);
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
  const body = parseJson(text);
  return { status: reply.status, headers: new Headers(reply.headers), text, body };
}

function shownNews(report: ProviderReport): object {
  if (report.kind !== 'done') return report;
  const { parts, cost } = report.written;
  const { provider_job_id } = report;
  return { kind: 'done', provider_job_id, cost, result: JSON.parse(parts.join('')) as unknown };
}
