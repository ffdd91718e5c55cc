// The list of transfers is read to its end page by page, whatever kind of transfer ends a page.
import { expect, test } from 'bun:test';
import { createAdminClient, createClient } from '@trivium/sdk';
import { sharedGateway } from '../harness.ts';

const adminToken = 'operator-token-of-the-transfer-pages';
const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: adminToken } });

test('a page that ends with the settlement of a job leads to the next one', async () => {
  const { url, key } = gateway();
  const client = createClient({ url, api_key: key });
  await client.search({ query: 'solar' });
  const recording = 'https://recordings.example/interview.wav';
  const { id } = await client.transcribe({ audio_url: recording });
  await client.jobs.wait(id, { poll_ms: 50 });
  const admin = createAdminClient({ url, admin_token: adminToken });
  const settled: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await admin.transfers.list({ kind: 'settle', limit: 1, cursor });
    settled.push(...page.transfers.map((transfer) => transfer.request_id ?? transfer.id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(new Set(settled).size).toBe(2);
});
