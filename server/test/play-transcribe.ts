// Plays a transcription fixture: the submission, then each question the worker would ask, and what
// is made of the answers.
import { TranscriptionRequest } from '@trivium/contract';
import type { ProviderId, TranscriberId } from '@trivium/contract';
import { list_prices } from '../src/providers/list-prices.ts';
import type { Reply } from '../src/domain/refusal.ts';
import type { Outgoing } from '../src/platform/http.ts';
import { providers } from '../src/providers/index.ts';
import type { WireRequest } from '../src/providers/provider.ts';
import type {
  Attempt,
  LookupStep,
  TranscribeProduct,
} from '../src/providers/transcribe-product.ts';
import { withOptions } from '../src/services/ask-speech-provider.ts';
import { outgoingOf, parse } from '../src/services/call-provider.ts';
import { readNews } from '../src/services/read-transcript.ts';
import type { ReadingTask, ReadNews } from '../src/services/read-transcript.ts';
import { planTranscription } from '../src/services/transcribe.ts';
import { fakeHouse, plainJson, shown } from './play.ts';
import type { Fixture, Played } from './play.ts';

/** Beside what every fixture has: how the attempt is played. */
export interface SpeechFixture extends Fixture {
  /** False for the vendor's synchronous form. */
  called_back?: boolean;
  /** Played instead of polls, after the first answer. */
  then?: 'poll' | 'lookup';
  /** Deliveries, read after everything that was received. */
  delivered?: unknown[];
  /** Vendor particulars from the settings. */
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
  const heard: Outgoing[] = [];
  const { house, chosen } = fakeHouse(provider, fixture, heard);
  const stations = { [id]: { provider, state: 'configured' } };
  const request = TranscriptionRequest.parse({ ...fixture.asked, provider: id });
  const transcriber = id as TranscriberId;
  const plan = planTranscription({ ...house, stations } as never, transcriber, request);
  const attempt: Attempt = {
    audio_url: request.audio_url,
    ask: plan.ask,
    token,
    ...(fixture.called_back === false ? {} : { callback }),
    submitted_at: new Date(fixture.now),
    extras: fixture.extras ?? {},
  };
  const sent: Fixture['sent'] = [];
  const ask = (wire: WireRequest): Reply => {
    const at = sent.length;
    sent.push(shown(outgoingOf(chosen, wire, { timeout_ms: 1, max_bytes: 1 })));
    return replyAt(fixture, at);
  };
  const task = (source: ReadingTask['source'], reply: Reply): ReadingTask => ({
    source,
    provider: transcriber,
    status: reply.status,
    headers: [...reply.headers],
    texts: [reply.text],
    attempt,
    ...(plan.ask.language === undefined ? {} : { language: plan.ask.language }),
    rates: list_prices[id]?.transcribe ?? {},
  });
  const { product } = plan;
  const first = ask(withOptions(product, product.toSubmit(attempt), plan.options));
  const news: object[] = [tell(readNews(task('submit', first)))];
  if (fixture.then === 'lookup') news.push(lookUp(product, attempt, ask, fixture));
  while (fixture.then !== 'lookup' && sent.length < fixture.received.length && product.toPoll) {
    const [known] = news as { provider_job_id?: string }[];
    news.push(tell(readNews(task('poll', ask(product.toPoll(known?.provider_job_id ?? ''))))));
  }
  for (const body of fixture.delivered ?? []) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = { status: 200, headers: new Headers(), text, body: parse(text) };
    news.push(tell(readNews(task('callback', reply))));
  }
  return Promise.resolve({
    sent,
    answered: plainJson(news),
    warned: plan.warnings,
  });
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
  const body = parse(text);
  return { status: reply.status, headers: new Headers(reply.headers), text, body };
}

function tell(news: ReadNews): object {
  if (news.kind !== 'done') return news;
  const { parts, cost } = news.written;
  const { provider_job_id } = news;
  return { kind: 'done', provider_job_id, cost, result: JSON.parse(parts.join('')) as unknown };
}
