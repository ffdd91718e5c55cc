// Webhook verification, compared with the reference implementation of the specification.
import { describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { ConfigurationError, WebhookVerificationError } from './errors.ts';
import { verifyWebhook } from './webhook.ts';
import type { WebhookDelivery } from './webhook.ts';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const nowMs = Date.UTC(2026, 10, 16, 12);
const seconds = String(nowMs / 1000);
const body = '{"type":"job.completed","text":"Grüße 👋"}';
const id = 'msg_1';
const sign = (by = secret, at = nowMs, text = body) => new Webhook(by).sign(id, new Date(at), text);
const headersWith = (signature: string, more = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': seconds,
  'webhook-signature': signature,
  ...more,
});
const verify = (changes: Partial<WebhookDelivery> = {}) =>
  verifyWebhook({ secret, headers: headersWith(sign()), body, nowMs: nowMs, ...changes });
const failureOf = (changes: Partial<WebhookDelivery>) =>
  verify(changes).then(
    () => undefined,
    (error: unknown) => error,
  );

/** Like the Headers class of a library instead of the runtime. */
function otherHeaders(): Headers {
  const own = new Headers(headersWith(sign()));
  return { get: (name: string) => own.get(name) } as Headers;
}

describe('accepted', () => {
  test('what the reference implementation signs, and what both read from it', async () => {
    const now = new Date();
    const signature = sign(secret, now.getTime());
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const headers = headersWith(signature, { 'webhook-timestamp': timestamp });
    const verified = await verifyWebhook({ secret, headers, body });
    expect(verified.payload).toEqual(new Webhook(secret).verify(body, headers));
    expect(verified.id).toBe(id);
    expect(verified.timestamp.getTime()).toBe(Number(timestamp) * 1000);
  });

  test.each<[string, Partial<WebhookDelivery>]>([
    ['headers of a Request', { headers: new Headers(headersWith(sign())) }],
    ['headers of another library', { headers: otherHeaders() }],
    [
      'headers of Node in any case',
      {
        headers: {
          'Webhook-Id': [id],
          'WEBHOOK-TIMESTAMP': seconds,
          'webhook-signature': sign(),
          host: undefined,
        },
      },
    ],
    ['a body in bytes', { body: new TextEncoder().encode(body) }],
    [
      'a matching signature behind others, during a rotation',
      { headers: headersWith(`v1,AAAA v1a,zzz ${sign(other)} v2,x ${sign()}`) },
    ],
    ['the oldest that is tolerated', { nowMs: nowMs + 300_000 }],
    ['a clock that runs ahead as far as is tolerated', { nowMs: nowMs - 300_000 }],
  ])('%s', async (_what, changes) => {
    expect((await verify(changes)).payload).toEqual(JSON.parse(body));
  });
});

describe('refused', () => {
  const [, pure = ''] = sign().split(',');
  test.each<[string, Partial<WebhookDelivery>]>([
    ['a changed body', { body: `${body} ` }],
    ['another secret', { secret: other }],
    ['another id', { headers: headersWith(sign(), { 'webhook-id': 'msg_2' }) }],
    ['another time', { headers: headersWith(sign(), { 'webhook-timestamp': `${seconds}0` }) }],
    ['a replay', { nowMs: nowMs + 300_001 }],
    ['a time in the future', { nowMs: nowMs - 300_001 }],
    ['no tolerance', { nowMs: nowMs + 1, toleranceSeconds: 0 }],
    ['a signature without a version', { headers: headersWith(pure) }],
    ['another version', { headers: headersWith(`v2,${pure}`) }],
    ['half a signature', { headers: headersWith(`v1,${pure.slice(0, 20)}`) }],
    ['no base64', { headers: headersWith('v1,%%%') }],
    ['an empty signature', { headers: headersWith('v1,') }],
    ['a signature behind 100,000 others', { headers: headersWith('v1,x '.repeat(1e5) + sign()) }],
    ['no header at all', { headers: {} }],
    [
      'a time with a sign',
      { headers: headersWith(sign(), { 'webhook-timestamp': `-${seconds}` }) },
    ],
    ['a fraction', { headers: headersWith(sign(), { 'webhook-timestamp': `${seconds}.5` }) }],
    ['no number', { headers: headersWith(sign(), { 'webhook-timestamp': 'NaN' }) }],
    ['a header twice', { headers: headersWith(sign(), { 'webhook-id': [id, 'msg_2'] }) }],
    ['a header in two spellings', { headers: headersWith(sign(), { 'Webhook-Id': 'msg_2' }) }],
    [
      'a signed body that is not JSON',
      { body: 'x', headers: headersWith(sign(secret, nowMs, 'x')) },
    ],
  ])('%s', async (_what, changes) => {
    expect(await failureOf(changes)).toBeInstanceOf(WebhookVerificationError);
  });

  test.each([
    '',
    'whsec_',
    secret.slice('whsec_'.length),
    'whsec_c2hvcnQ=',
    'whsec_%%%',
    `whsec_${Buffer.alloc(65).toString('base64')}`,
  ])('the secret %p, as a mistake of the program', async (wrong) => {
    expect(await failureOf({ secret: wrong })).toBeInstanceOf(ConfigurationError);
  });

  test.each([-1, Number.NaN])('a tolerance of %p', async (tolerance) => {
    expect(await failureOf({ toleranceSeconds: tolerance })).toBeInstanceOf(ConfigurationError);
  });
});
