// Two isolated accounts, and the ways to name one of them in a request for the other.
import type { Gateway } from '../harness.ts';
import { member } from './visitor.ts';
import type { Visitor } from './visitor.ts';

/** One account: its member, its key, and strings that appear only in its data. */
export interface Side {
  account_id: string;
  person: Visitor;
  key_id: string;
  key: string;
  webhook_id: string;
  delivery_id: string;
  secrets: string[];
}

export const noSide = {
  account_id: 'acct_of_no_one',
  key_id: 'key_of_no_one',
  webhook_id: 'wh_of_no_one',
  delivery_id: 'dlv_of_no_one',
} as Side;

export async function makeSide(
  gateway: Gateway,
  ada: Visitor,
  name: string,
  email: string,
): Promise<Side> {
  const { id: accountId } = await ada.made('/admin/v1/accounts', { name });
  const topup = { amount_usd: 5, reason: `${name}: a top-up` };
  const { id: topupId } = await ada.made(`/admin/v1/accounts/${accountId}/topups`, topup);
  const person = await member(gateway, ada, accountId, email);
  const { id: keyId, key } = await newKey(ada, accountId, `${name}: a key`);
  const found = await gateway.post(
    '/v1/search',
    { query: 'solar', provider: 'engine_a' },
    { authorization: `Bearer ${key}` },
  );
  const requestId = found.headers.get('x-request-id') ?? '';
  const url = `https://${accountId}.invalid/events`;
  const hooks = `/admin/v1/webhooks?account_id=${accountId}`;
  const { id: webhookId } = await ada.made(hooks, { url, events: ['job.failed'] });
  const { id: deliveryId } = await ada.made(`/admin/v1/webhooks/${webhookId}/test`, {});
  return {
    account_id: accountId,
    person,
    key_id: keyId,
    key,
    webhook_id: webhookId,
    delivery_id: deliveryId,
    secrets: [accountId, keyId, topupId, requestId, name, webhookId, deliveryId],
  };
}

export async function newKey(by: Visitor, accountId: string, name: string) {
  const made = await by.made(`/admin/v1/accounts/${accountId}/keys`, { name });
  return made as { id: string; key: string };
}

/** Known ways to name one account to an access check and another to the handler. */
export function spellings(
  path: string,
  own: string,
  { account_id: other, key_id }: Side,
): string[] {
  const queries = [
    `account_id=${other}`,
    `account_id=${own}&account_id=${other}`,
    `account_id=${other}&account_id=${own}`,
    `account_id=${own}&account%5Fid=${other}`,
    `account%5Fid=${own}&account_id=${other}`,
    `account%5fid=${other}&account_id=${own}`,
    `account_id=${own}&account_id[]=${other}`,
    `account_id=${own}&Account_Id=${other}`,
    `account_id=${own};account_id=${other}`,
    `account_id=${own}%00${other}`,
    `account_id=${own},${other}`,
    `account_id=%20${other}`,
    `account_id=${own}&key_id=${key_id}`,
    `account_id=&account_id=${other}`,
    '',
  ];
  const ids = [other, `${own}%2F..%2F${other}`, `..%2F${other}`, `${other}%00`, `%20${other}`];
  if (path.includes(':id')) {
    return ids.flatMap((id) => [
      path.replace(':id', id),
      `${path.replace(':id', own)}?id=${id}&account_id=${id}`,
    ]);
  }
  return queries.map((query) => `${path}?${query}`);
}
